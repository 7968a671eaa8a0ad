/** What a node answers cannot be used; the message completes the sentence "node 1 of 2 …". */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
