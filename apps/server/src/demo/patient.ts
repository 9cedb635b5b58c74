import { setTimeout as pause } from 'node:timers/promises'
import { isTransientDatabaseError } from '#kit/server/database/connections.ts'
import type { Services } from '#kit/server/module/services.ts'

const AGAIN_MS = 1_000
const TRIES_MAX = 300

/**
 * Wraps the services for the simulators: a unit of work whose database connection broke is retried, so that one broken
 * connection does not end the simulation.
 */
export function createRetryingServices(services: Services, againMs = AGAIN_MS): Services {
  const unit: Services['unit'] = async (target, work, actor) => {
    for (let tries = 1; ; tries++) {
      try {
        return await services.unit(target, work, actor)
      } catch (error) {
        if (!isTransientDatabaseError(error) || tries === TRIES_MAX) throw error
        await pause(againMs)
      }
    }
  }
  // All other services, also those filled in later, are inherited.
  return Object.create(services, { unit: { value: unit } }) as Services
}
