"""The report in a real browser."""

import pathlib

import pytest
import yaml
from conftest import rhosweep

NAMES = yaml.safe_load(pathlib.Path(__file__).with_name("hostile.yaml").read_text(encoding="utf-8"))


class Opened:
    """A page with all that it complained of or asked the network for."""

    def __init__(self, browser, file, width=1200):
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.troubles = []
        self.requests = []
        self.page.on("console", lambda m: self.troubles.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.troubles.append(str(e)))
        self.page.on("dialog", lambda d: (self.troubles.append(f"dialog: {d.message}"), d.dismiss()))
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_function("document.documentElement.dataset.charts !== undefined")


@pytest.fixture(scope="module")
def reports(quickstart, hostile, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    files = {"quickstart": folder / "quickstart.html", "hostile": folder / "hostile.html"}
    rhosweep("report", quickstart, "--out", files["quickstart"])
    rhosweep("report", hostile, "--out", files["hostile"])
    return files


@pytest.fixture(scope="module", params=["quickstart", "hostile"])
def opened(request, browser, reports):
    opened = Opened(browser, reports[request.param])
    yield opened
    opened.page.close()


# For each chart: its caption, how many numbers it was given, how many marks the browser holds, and where the last is.
CHARTS = """() => [...document.querySelectorAll('figure.chart')].map(figure => {
  const plot = figure.querySelector('.plot');
  const chart = echarts.getInstanceByDom(plot);
  const option = chart.getOption();
  const data = option.series.filter(s => s.type !== 'custom').flatMap(s => s.data);
  const bars = option.series.filter(s => s.type === 'custom').flatMap(s => s.data);
  const last = option.series[0].data.at(-1);
  return {
    caption: figure.querySelector('figcaption').textContent,
    kind: option.series[0].type,
    numbers: data.length,
    bars: bars.length,
    marks: plot.querySelectorAll('svg path').length,
    last: chart.convertToPixel({seriesIndex: 0}, last.value),
    at: last.at,
    width: plot.querySelector('svg').getBoundingClientRect().width,
    room: figure.getBoundingClientRect().width,
    label: plot.getAttribute('aria-label'),
    role: plot.getAttribute('role')
  };
})"""


def test_nothing_goes_wrong_and_nothing_is_asked_of_the_network(opened):
    opened.page.wait_for_timeout(200)
    assert opened.troubles == []
    assert len(opened.requests) == 1, opened.requests


def test_every_chart_has_as_many_marks_as_numbers(opened):
    charts = opened.page.evaluate(CHARTS)
    assert len(charts) == int(opened.page.evaluate("document.documentElement.dataset.charts")) >= 7
    for chart in charts:
        assert chart["numbers"] > 0, chart
        # Of an interval there are three lines, of a number one mark.
        assert chart["marks"] >= chart["numbers"] + 3 * chart["bars"], chart
    assert any(c["bars"] > 0 for c in charts), "no chart has intervals"
    assert {c["kind"] for c in charts} == {"line", "heatmap"}


def test_tooltips_tell_the_number_under_the_pointer(opened):
    page = opened.page
    page.evaluate("document.querySelectorAll('.numbers').forEach(d => { d.open = true; })")
    page.wait_for_function("document.querySelectorAll('.numbers table').length === Number(document.documentElement.dataset.charts)")
    for i, chart in enumerate(page.evaluate(CHARTS)):
        figure = page.locator("figure.chart").nth(i)
        plot = figure.locator(".plot")
        x, y = chart["last"]
        # A chart may be higher than the window: what counts is that the mark is in sight.
        plot.evaluate("(e, y) => window.scrollBy(0, e.getBoundingClientRect().top + y - innerHeight / 2)", y)
        box = plot.bounding_box()
        page.mouse.move(box["x"] + x - 3, box["y"] + y - 3)
        page.mouse.move(box["x"] + x, box["y"] + y)
        tip = plot.locator(".tip")
        tip.wait_for(state="visible", timeout=20_000)
        text = tip.inner_text()
        # Marks may lie on each other: the number is one of that line of the table.
        line = figure.locator(".numbers tbody tr").nth(chart["at"]).locator("td").all_inner_texts()
        assert any(f": {cell.split()[0]}" in text for cell in line if cell != "-"), (chart["caption"], text, line)
        page.mouse.move(0, 0)


def test_charts_have_names_for_those_who_cannot_see_them(opened):
    for chart in opened.page.evaluate(CHARTS):
        assert chart["role"] == "img"
        assert chart["label"].startswith(chart["caption"])
        assert " from " in chart["label"] and " to " in chart["label"], chart["label"]
    unnamed = opened.page.evaluate("""() => [...document.querySelectorAll('select, button, summary, a')]
      .filter(e => !(e.textContent || '').trim() || e.tagName === 'SELECT' && !e.closest('label')).length""")
    assert unnamed == 0


def test_links_lead_somewhere(opened):
    dead = opened.page.evaluate("""() => [...document.querySelectorAll('a')]
      .map(a => a.getAttribute('href')).filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))""")
    assert dead == []
    assert opened.page.locator('td a[href^="#explain-"]').count() > 0
    assert " explain " in opened.page.locator(".commands code").first.inner_text()


def test_hostile_names_show_as_text(browser, reports):
    opened = Opened(browser, reports["hostile"])
    page = opened.page
    assert page.locator("h1").text_content() == NAMES["name"]
    assert page.title() == " ".join(NAMES["name"].split())
    text = page.locator("body").text_content()
    for block in NAMES["designs"]:
        for name in [block["name"], *block["sweep"]]:
            assert name in text, name
    assert page.locator("img, b[onmouseover], [onload], [onerror]").count() == 0
    assert page.evaluate("document.scripts.length") == 3
    assert opened.troubles == []
    page.close()


def test_keyboard_alone_changes_a_chart_and_opens_its_numbers(browser, reports):
    opened = Opened(browser, reports["quickstart"])
    page = opened.page
    figure = page.locator("figure.chart").first
    before = figure.locator(".plot").get_attribute("aria-label")
    figure.get_by_role("combobox", name="Show").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("([f, l]) => f.querySelector('.plot').getAttribute('aria-label') !== l", arg=[figure.element_handle(), before])
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    figure.locator(".numbers table").wait_for(state="visible")
    assert figure.locator(".numbers tbody tr").count() == 17
    assert opened.troubles == []
    page.close()


@pytest.mark.parametrize("name", ["quickstart", "hostile"])
def test_a_phone_shows_all_without_scrolling_sideways(browser, reports, name):
    opened = Opened(browser, reports[name], width=390)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    for chart in opened.page.evaluate(CHARTS):
        assert 250 < chart["width"] <= chart["room"] + 1 <= 391, chart
    assert opened.troubles == []
    opened.page.close()


def test_printed_charts_fit_the_paper(browser, reports):
    opened = Opened(browser, reports["quickstart"], width=1600)
    page = opened.page
    # What the page does as printing begins, seen from inside: the browser tells it, it redraws.
    page.evaluate("addEventListener('beforeprint', () => { window.widths = "
                  "[...document.querySelectorAll('.plot svg')].map(s => s.getBoundingClientRect().width); })")
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    widths = page.evaluate("window.widths")
    assert len(widths) == int(page.evaluate("document.documentElement.dataset.charts"))
    assert max(widths) < 700, "A4 less margins is about 715 px wide"
    page.emulate_media(media="print")
    assert page.locator(".controls").first.is_hidden()
    assert opened.troubles == []
    page.close()


def test_printed_in_grey_darker_is_more(browser, reports):
    opened = Opened(browser, reports["quickstart"])
    ramp = opened.page.evaluate("""() => [...document.querySelectorAll('.plot')].map(p => echarts.getInstanceByDom(p).getOption())
      .filter(o => o.visualMap && o.visualMap.length).map(o => o.visualMap[0].inRange.color)[0]""")
    channels = [[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in ramp]
    grey = [0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2 for r, g, b in channels]
    assert len(grey) > 5
    assert all(darker < lighter for lighter, darker in zip(grey, grey[1:]))
    opened.page.close()
