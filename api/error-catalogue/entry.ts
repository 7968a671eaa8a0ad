/** What a caller has to know of an error. `title`, `cause` and `fix` are sentences in Markdown. */
export type CatalogueEntry = {
  readonly status: number
  readonly title: string
  /** Why it occurs, in general. The `detail` of an error has the values of its request. */
  readonly cause: string
  /** What the caller does about it. */
  readonly fix: string
  /** Whether the same request can succeed later. If not, it must be changed first. */
  readonly isRetryable: boolean
}
