import { paymentChannelUrl } from '#domains/money/payment-channels/api.ts'
import { registersStory, forgetRegisters, issueKey } from '#domains/sales/point-of-sale/api.ts'
import { startPaymentChannel } from '#simulators/payments/payments.simulator.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { DEFAULT_PACE, hasSimulation } from '../config.ts'
import { startOutside } from './outside.ts'
import { patientServices } from './patient.ts'
import { openStreet } from './street-control.ts'
import { customersOf } from './street-devices.ts'
import { startRegisters } from './street-registers.ts'
import { startSimulation } from './simulation.ts'

const PACE = process.env.SIMULATOR_PACE || DEFAULT_PACE

/**
 * New credentials for the story's registers that are not in trouble: they are known to nobody but this start's
 * simulator.
 */
async function credentials(
  services: Services,
): Promise<{ sn: string; secret: string; customers: { prefix: string; count: number } }[]> {
  const { storyRegisters } = await registersStory()
  const out = []
  for (const [tenantId, registers] of Object.entries(storyRegisters)) {
    const played = registers.filter((one) => !one.silentHours).map((one) => one.sn)
    out.push(
      ...(await services.unit({ tenantId }, async (db) => {
        const rows = await db.query<{ id: string; sn: string }>(
          sql`select id, sn from cash_register where tenant_id = ${tenantId} and sn = any(${played}) and is_deleted = 0
            and status = 1 order by sn`,
        )
        const customers = await customersOf(db)
        const issued = []
        for (const { id, sn } of rows) issued.push({ sn, secret: await issueKey(db, id), customers })
        return issued
      })),
    )
  }
  await forgetRegisters(services)
  return out
}

/**
 * The world around the demo story: a payment channel that takes refunds, unless a real one is named, the street of its
 * devices, and customers at the registers, unless SIMULATORS is off; around any other installation, where practice is
 * wanted, the street alone. They end with this process.
 */
export async function startSimulators(itself: Services, address: string): Promise<void> {
  const services = patientServices(itself)
  const isStory = services.config.story === 'demo'
  if (isStory && !process.env.PAYMENT_CHANNEL_URL)
    services.slots.fill(paymentChannelUrl, (await startPaymentChannel()).url)
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1')
  const isTold = isStory && process.env.SIMULATORS !== 'off'
  const isPlayed = hasSimulation(services.config.story, process.env)
  if (isTold || isPlayed) {
    const platforms = isTold ? await startOutside(services, url) : []
    const street = await startSimulation(services, { address: url, pace: PACE, isStory: isTold, platforms })
    if (isPlayed) await openStreet(street, services.config.dataDir)
  }
  if (!isTold) return
  startRegisters(services, { url, pace: PACE, registers: await credentials(services) })
}
