import { paymentChannelUrl } from '#domains/payments/doors.ts'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { registersStory, forgetRegisters, issueKey } from '#domains/registers/doors.ts'
import { printingStory } from '#domains/printing/doors.ts'
import { startPaymentChannel } from '#simulators/payments/payments.simulator.ts'
import { printerAccounts, startPrinterMakers } from '#simulators/printers/printers.simulator.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { DEFAULT_PACE } from '../config.ts'
import { storyTenants } from './cast.ts'
import { startStreet } from './street.ts'

const PROGRAM = fileURLToPath(new URL('../../../../simulators/registers/main.ts', import.meta.url))
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
        const [known] = await db.query<{ n: number }>(
          sql`select count(*)::int as n from wx_user where tenant_id = ${tenantId} and openid like 'demo-%'`,
        )
        const issued = []
        for (const { id, sn } of rows)
          issued.push({
            sn,
            secret: await issueKey(db, id),
            customers: { prefix: `demo-${tenantId}-`, count: known!.n },
          })
        return issued
      })),
    )
  }
  await forgetRegisters(services)
  return out
}

/** Makers of the story's printers, which know these printers, and the accounts that lead there from this start on. */
async function startMakers(services: Services): Promise<void> {
  const simulator = await startPrinterMakers()
  const { connectMakers } = await printingStory()
  const makers = {
    feie: { ...printerAccounts.feie, endpoint: simulator.endpointOf('feie'), callbackKey: simulator.callbackKey },
    yilianyun: { ...printerAccounts.yilianyun, endpoint: simulator.endpointOf('yilianyun') },
    xpyun: { ...printerAccounts.xpyun, endpoint: simulator.endpointOf('xpyun') },
  }
  for (const { tenantId } of storyTenants) {
    const printers = await services.unit({ tenantId }, (db) => connectMakers(db, services, makers))
    for (const { brand, sn, name, status } of printers) simulator.know({ maker: brand, sn, name, status })
  }
  services.log.info({ url: simulator.url }, 'What the simulated printers print is seen there')
}

/**
 * The world around the demo story: a payment channel that takes refunds, unless a real one is named, the makers of its
 * printers, and customers at the registers, unless SIMULATORS is off. They end with this process.
 */
export async function startSimulators(services: Services, address: string): Promise<void> {
  if (!process.env.PAYMENT_CHANNEL_URL) services.slots.fill(paymentChannelUrl, (await startPaymentChannel()).url)
  if (process.env.SIMULATORS === 'off') return
  await startMakers(services)
  await startStreet(services, PACE)
  const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', PROGRAM, '--url', url, '--pace', PACE, '--quiet'],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  child.on('error', (err) => services.log.warn({ err }, 'the simulated registers could not be started'))
  child.stdin.on('error', () => {})
  // The end of its standard input, also by a kill of this process, ends the play.
  child.stdin.write(`${JSON.stringify(await credentials(services))}\n`)
  child.unref()
}
