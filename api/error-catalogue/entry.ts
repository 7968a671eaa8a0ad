/** Facts of an error for its caller. `title`, `cause` and `fix` are sentences in Markdown. */
export type CatalogueEntry = {
  readonly status: number
  readonly title: string
  /** Why it occurs, in general. The `detail` of an error has the values of its request. */
  readonly cause: string
  /** Remedy for the caller. */
  readonly fix: string
  /** Whether the same request can succeed later. If not, it must be changed first. */
  readonly isRetryable: boolean
}
