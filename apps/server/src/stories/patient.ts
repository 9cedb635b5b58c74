import { setTimeout as pause } from 'node:timers/promises'
import { isTransientDatabaseError } from '#kit/server/database/connections.ts'
import type { Services } from '#kit/server/services.ts'

const AGAIN_MS = 1_000
const TRIES_MAX = 300

/**
 * The services as what is played around the product uses them: a unit of work whose connection broke is done again, so
 * that one broken connection does not end the play for the life of the process.
 */
export function createRetryingServices(services: Services, againMs = AGAIN_MS): Services {
  const unit: Services['unit'] = async (whose, work, actor) => {
    for (let tries = 1; ; tries++) {
      try {
        return await services.unit(whose, work, actor)
      } catch (error) {
        if (!isTransientDatabaseError(error) || tries === TRIES_MAX) throw error
        await pause(againMs)
      }
    }
  }
  // Everything else, also what is filled in later, is the services' own.
  return Object.create(services, { unit: { value: unit } }) as Services
}
