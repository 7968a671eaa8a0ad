/** Prints the steps of the start of the devnet: one line per step, with its duration. */
export type StepConsole = {
  /** Runs the step and prints its line at the end. `detail` summarizes the result. */
  step: <Result>(
    name: string,
    work: (progress: (text: string) => void) => Promise<Result>,
    detail: (result: Result) => string,
  ) => Promise<Result>
  print: (text: string) => void
  /** Seconds since the out was made, to a tenth. */
  seconds: () => string
}

/** @param stream where lines go; on a terminal a step under way shows its progress on the last line */
export function createConsole(stream: NodeJS.WriteStream, now: () => number): StepConsole {
  const beganAt = now()
  const since = (moment: number) => ((now() - moment) / 1000).toFixed(1)
  const print = (text: string) => void stream.write(`${text}\n`)
  const draft = (text: string) => {
    if (stream.isTTY) stream.write(`\r\x1b[2K${text}`)
  }
  return {
    print,
    seconds: () => since(beganAt),
    step: async (name, work, detail) => {
      const label = name.padEnd(12)
      const startedAt = now()
      draft(`  … ${label}`)
      const result = await work((text) => draft(`  … ${label} ${text}`))
      draft('')
      print(`  ✓ ${label}${since(startedAt).padStart(5)} s  ${detail(result)}`)
      return result
    },
  }
}
