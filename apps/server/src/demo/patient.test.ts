import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '#kit/server/database/connections.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createRetryingServices } from './patient.ts'

const servicesOf = (failures: Error[]) => {
  const calls: unknown[] = []
  const unit = async (tenant: unknown) => {
    calls.push(tenant)
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  }
  return { asked: calls, services: { unit } as unknown as Services }
}
const tenant = { tenantId: '100001' }
const work = () => Promise.resolve('never run here')

test('a play goes on after a broken connection, and hears of every other failure', async () => {
  const { services, asked } = servicesOf([new DatabaseUnavailableError('gone'), new DatabaseUnavailableError('gone')])
  const patient = createRetryingServices(services, 1)
  expect(await patient.unit(tenant, work)).toBe('done')
  expect(asked).toHaveLength(3)
  await expect(createRetryingServices(servicesOf([new Error('wrong')]).services, 1).unit(tenant, work)).rejects.toThrow(
    'wrong',
  )
  // Services filled in later are visible to the simulators too.
  services.link = { address: 'mqtt://here' } as never
  expect(patient.link?.address).toBe('mqtt://here')
})
