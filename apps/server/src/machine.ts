import { availableParallelism, totalmem } from 'node:os'

export type HostResources = { cores: number; bytes: number }

/** Returns the cores and the memory this process may use: the machine's, or the container's share of it. */
export const readHostResources = (): HostResources => ({
  cores: availableParallelism(),
  bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})
