package io.github.rhosweep.spark;

import io.github.rhosweep.fit.State;
import io.github.rhosweep.fit.TreeTrainer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.regression.DecisionTreeRegressionModel;
import org.apache.spark.ml.regression.GBTRegressionModel;
import org.apache.spark.ml.regression.GBTRegressor;
import org.apache.spark.ml.tree.ContinuousSplit;
import org.apache.spark.ml.tree.InternalNode;
import org.apache.spark.ml.tree.Node;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Gradient-boosted trees by Spark's MLlib. In one partition: sums are then added in one order, whatever the cores. */
public final class GbtTrainer implements TreeTrainer {
    private static final int TREES = 40;
    private static final int DEPTH = 4;
    private static final int BINS = 64;
    private static final double STEP = 0.2;

    private final SparkSession spark;

    public GbtTrainer(SparkSession spark) {
        this.spark = spark;
    }

    @Override
    public State.Trees train(List<String> features, double[][] x, double[] y, double[] weights, long seed) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < y.length; i++) {
            rows.add(RowFactory.create(y[i], weights[i], Vectors.dense(x[i])));
        }
        StructType schema = new StructType(new StructField[] {
            new StructField("label", DataTypes.DoubleType, false, Metadata.empty()),
            new StructField("weight", DataTypes.DoubleType, false, Metadata.empty()),
            new StructField("features", SQLDataTypes.VectorType(), false, Metadata.empty())
        });
        GBTRegressionModel model = new GBTRegressor()
                .setWeightCol("weight")
                .setMaxIter(TREES)
                .setMaxDepth(DEPTH)
                .setMaxBins(BINS)
                .setStepSize(STEP)
                .setSeed(seed)
                .fit(spark.createDataFrame(rows, schema).coalesce(1));
        Flat flat = new Flat();
        List<Integer> roots = new ArrayList<>();
        List<Double> treeWeights = new ArrayList<>();
        for (int t = 0; t < model.trees().length; t++) {
            DecisionTreeRegressionModel tree = model.trees()[t];
            roots.add(flat.add(tree.rootNode()));
            treeWeights.add(model.treeWeights()[t]);
        }
        return new State.Trees(features, roots, treeWeights, flat.feature, flat.threshold, flat.left, flat.right);
    }

    /** Nodes in arrays, parents before children. */
    private static final class Flat {
        private final List<Integer> feature = new ArrayList<>();
        private final List<Double> threshold = new ArrayList<>();
        private final List<Integer> left = new ArrayList<>();
        private final List<Integer> right = new ArrayList<>();

        int add(Node node) {
            int at = feature.size();
            feature.add(-1);
            threshold.add(node.prediction());
            left.add(-1);
            right.add(-1);
            if (node instanceof InternalNode inner && inner.split() instanceof ContinuousSplit split) {
                feature.set(at, split.featureIndex());
                threshold.set(at, split.threshold());
                left.set(at, add(inner.leftChild()));
                right.set(at, add(inner.rightChild()));
            }
            return at;
        }
    }
}
