/**
 * Loaded into a process by `--import`: its clock differs by `CLOCK_SKEW_MS` milliseconds. SIGUSR2 sets it by
 * `CLOCK_STEP_MS`, and writes a line.
 */
const realNow = Date.now
let skewMs = Number(process.env.CLOCK_SKEW_MS)

Date.now = () => realNow() + skewMs

globalThis.Date = new Proxy(Date, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [target.now()] : parts, newTarget),
  apply: (target) => new target(target.now()).toString(),
})

process.on('SIGUSR2', () => {
  skewMs += Number(process.env.CLOCK_STEP_MS)
  console.log('the clock was set')
})
