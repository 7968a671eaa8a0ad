/**
 * Paths that an orchestrator asks whether to keep the process. It asks often and kills what does not answer, so they are not limited,
 * and who asks is not looked up.
 */
export const PROBES: ReadonlySet<string> = new Set(['/api/v1/health', '/api/v1/health/ready'])
