/** The answer of a node cannot be used. The message follows "node 1 of 2". */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
