/** The parts of an OpenAPI document that the pages use. */
export type DescribedOperation = {
  operationId?: string
  summary?: string
  description?: string
  parameters?: object[]
  requestBody?: { content: Record<string, { example?: unknown }> } | { $ref: string }
}

export type Described = {
  info: { title: string; description?: string }
  paths?: Record<string, { get?: DescribedOperation; post?: DescribedOperation }>
}
