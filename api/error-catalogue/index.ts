/**
 * Every error that a response can have. This catalogue is the only place that defines a code and what is said of it:
 * its status, its title, and its entry in the error playbook (`/docs/errors`). Codes are stable (specification, section
 * 7).
 */
import { refusals } from './refusals.ts'
import { requestErrors } from './requests.ts'
import { serviceErrors } from './service.ts'

export const catalogue = { ...requestErrors, ...refusals, ...serviceErrors } as const

export type ErrorCode = keyof typeof catalogue
