/** The parts of Observable Plot that charts use, in a file that is loaded after the first paint. */
export { areaY, barX, barY, cell, lineY, plot, rectY, ruleX, ruleY } from '@observablehq/plot'
