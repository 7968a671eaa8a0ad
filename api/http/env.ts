import type { EnvOf } from './define-middleware.ts'
import type { requestMiddleware } from './request-middleware.ts'

/** A request that has passed all middleware: its handlers read variables of this type. */
export type AppEnv = EnvOf<ReturnType<typeof requestMiddleware>>
