/** @throws RangeError unless an option is an integer of at least 1 */
export function requireCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${name} is ${value}; it must be an integer of at least 1.`)
}
