import fc from "fast-check";

/**
 * The seed of every property test. One constant, so that a change alone can turn a test red; scripts/test.mjs gives
 * others by HOPSCOPE_PROPERTY_SEED to look further.
 */
const usual = 20_260_101;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.HOPSCOPE_PROPERTY_SEED ?? usual) });
