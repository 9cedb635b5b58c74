import { availableParallelism, totalmem } from 'node:os'

export type HostResources = { cores: number; bytes: number }

/** What this process may use: of a machine, or of the part a container has of it. */
export const readHostResources = (): HostResources => ({
  cores: availableParallelism(),
  bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})
