"""The pods that Spark would make of the line in docs/cluster.md; no cluster is asked, and none is there."""

import re
import shlex
import subprocess

import pytest
import yaml
from conftest import ROOT


@pytest.fixture(scope="module")
def words():
    """The documented line, word by word, without the name of the program."""
    lines = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith("spark-submit --master k8s://")]
    return shlex.split(line)[1:]


@pytest.fixture(scope="module")
def pods(words):
    """The driver's and an executor's pod by role, and what kinds of resources come with them."""
    done = subprocess.run(
        [ROOT / "scripts" / "kubernetes" / "render", *words], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [pod for pod in yaml.safe_load_all(done.stdout) if pod]
    by_role = {pod["metadata"]["labels"]["spark-role"]: pod for pod in found}
    assert len(found) == len(by_role) == 2
    return by_role, re.findall(r"^# (\w+) study-", done.stdout, re.M), done.stdout


def settings(words):
    """What follows --conf."""
    return dict(words[i + 1].split("=", 1) for i, word in enumerate(words) if word == "--conf")


def container(pod):
    (only,) = pod["spec"]["containers"]
    return only


def test_driver_runs_what_the_line_says(words, pods):
    driver = pods[0]["driver"]
    jar = words.index("local:///opt/rhosweep/rhosweep.jar")
    arguments = container(driver)["args"]
    assert arguments[0] == "driver"
    assert arguments[arguments.index("--class") + 1 :] == [words[words.index("--class") + 1], *words[jar:]]
    assert driver["spec"]["serviceAccountName"] == settings(words)["spark.kubernetes.authenticate.driver.serviceAccountName"]
    assert driver["metadata"]["labels"]["spark-app-name"] == words[words.index("--name") + 1]
    assert "Service" in pods[1]  # by which executors find the driver


def test_executors_are_as_many_and_as_large_as_the_line_says(words, pods):
    by_role, _, text = pods
    executor = container(by_role["executor"])
    environment = {entry["name"]: entry.get("value") for entry in executor["env"]}
    assert environment["SPARK_EXECUTOR_CORES"] == settings(words)["spark.executor.cores"] == executor["resources"]["requests"]["cpu"]
    assert f"# one of {settings(words)['spark.executor.instances']} executors" in text
    assert executor["resources"]["limits"]["memory"] == "1408Mi"  # Spark's 1g and what it adds for the JVM
    assert by_role["executor"]["metadata"]["ownerReferences"][0]["name"] == by_role["driver"]["metadata"]["name"]


def test_both_run_the_image_that_holds_what_they_name(words, pods):
    for pod in pods[0].values():
        assert container(pod)["image"] == settings(words)["spark.kubernetes.container.image"]
    copied = dict(re.findall(r"^COPY (\S+) (\S+)$", (ROOT / "scripts" / "Dockerfile").read_text(encoding="utf-8"), re.M))
    jar = words.index("local:///opt/rhosweep/rhosweep.jar")
    assert words[jar].removeprefix("local://") in [
        target + source.rsplit("/", 1)[1] if target.endswith("/") else target for source, target in copied.items()
    ]
    assert words[jar + 1] == "run"
    (configs,) = [target for source, target in copied.items() if source == "configs"]
    experiment = words[jar + 2]
    assert experiment.startswith(configs)
    assert (ROOT / "configs" / experiment.removeprefix(configs).lstrip("/")).is_file()
