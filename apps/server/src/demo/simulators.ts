import { paymentChannelUrlSlot } from '#domains/money/payment-channels/api.ts'
import { importRegistersDemo, invalidateCashRegisterCache, issueKey } from '#domains/sales/point-of-sale/api.ts'
import { startPaymentChannel } from '#simulators/payments/payments.simulator.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { DEFAULT_SIMULATION_PACE, isSimulationEnabled } from '../config.ts'
import { startPlatformSimulators } from './outside.ts'
import { createRetryingServices } from './patient.ts'
import { serveSimulationControl } from './simulation-control.ts'
import { findDemoCustomerRange } from './simulated-devices.ts'
import { startRegisterSimulator } from './register-simulator.ts'
import { startDeviceSimulation } from './simulation.ts'

const PACE = process.env.SIMULATOR_PACE || DEFAULT_SIMULATION_PACE

/** Issues new credentials to the demo data's working registers, known only to this start's simulator. */
async function credentials(
  services: Services,
): Promise<{ sn: string; secret: string; customers: { prefix: string; count: number } }[]> {
  const { demoRegisters: storyRegisters } = await importRegistersDemo()
  const out = []
  for (const [tenantId, registers] of Object.entries(storyRegisters)) {
    const played = registers.filter((one) => !one.silentHours).map((one) => one.sn)
    out.push(
      ...(await services.unit({ tenantId }, async (db) => {
        const rows = await db.query<{ id: string; sn: string }>(
          sql`select id, sn from cash_register where tenant_id = ${tenantId} and sn = any(${played}) and is_deleted = 0
            and status = 1 order by sn`,
        )
        const customers = await findDemoCustomerRange(db)
        const issued = []
        for (const { id, sn } of rows) issued.push({ sn, secret: await issueKey(db, id), customers })
        return issued
      })),
    )
  }
  await invalidateCashRegisterCache(services)
  return out
}

/**
 * Starts the simulated world. With the demo data: a payment channel, unless PAYMENT_CHANNEL_URL names one, and unless
 * SIMULATORS is off, platforms, devices and customers at the registers. On other installations where PRACTICE is on:
 * devices only. Child processes end with this process.
 */
export async function startAllSimulators(itself: Services, address: string): Promise<void> {
  const services = createRetryingServices(itself)
  const isDemo = services.config.story === 'demo'
  if (isDemo && !process.env.PAYMENT_CHANNEL_URL)
    services.slots.fill(paymentChannelUrlSlot, (await startPaymentChannel()).url)
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1')
  const isSimulated = isDemo && process.env.SIMULATORS !== 'off'
  const isPlayed = isSimulationEnabled(services.config.story, process.env)
  if (isSimulated || isPlayed) {
    const platforms = isSimulated ? await startPlatformSimulators(services, url) : []
    const simulation = await startDeviceSimulation(services, {
      address: url,
      pace: PACE,
      isStory: isSimulated,
      platforms,
    })
    if (isPlayed) await serveSimulationControl(simulation, services.config.dataDir)
  }
  if (!isSimulated) return
  startRegisterSimulator(services, { url, pace: PACE, registers: await credentials(services) })
}
