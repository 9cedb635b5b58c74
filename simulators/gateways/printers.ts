import { receiptOf, type Receipt } from './escpos.ts'
import { BAD_PARAMETERS, BROKEN, DONE, NOT_FOUND } from './protocol.ts'
import type { Body, DevicePayload, Method } from './protocol.ts'

const BYTES_PER_SECOND = 10_000
const KEPT = 50

type Printed = Receipt & { printer: string; jobId: string; at: number }

/** Simulates receipt printers on the shop's network: takes bytes and records the receipt. */
export function createPrinters(body: Body, names: string[]) {
  const printed: Printed[] = []
  const jobs = new Set<string>()
  const states = new Map(names.map((name) => [name, 'ready']))

  function reportState(printer: string, state: 'ready' | 'paperOut'): void {
    if (states.get(printer) === state) return
    states.set(printer, state)
    body.event('printer.state', { printer, state })
  }

  function print(printer: string, jobId: string, bytes: Uint8Array): void {
    printed.push({ ...receiptOf(bytes), printer, jobId, at: body.clock.now() })
    if (printed.length > KEPT) printed.shift()
    jobs.add(jobId)
    if (jobs.size > KEPT) jobs.delete(jobs.values().next().value!)
    body.act('printed', { printer, jobId })
  }

  return {
    printed: printed as readonly Printed[],
    /** Reports whether each printer has paper. */
    look: () => names.forEach((name) => reportState(name, body.has('paperOut') ? 'paperOut' : 'ready')),
    claim: (): DevicePayload => ({ state: 'printed' }),
    methods: {
      'print.raw': ({ printer, data, jobId }) => {
        if (!states.has(printer as string)) return { code: NOT_FOUND }
        if (typeof data !== 'string' || typeof jobId !== 'string') return { code: BAD_PARAMETERS }
        const bytes = Buffer.from(data, 'base64')
        return (end) =>
          body.clock.after((bytes.length * 1_000) / BYTES_PER_SECOND, () => {
            const state = body.has('paperOut') ? 'paperOut' : 'ready'
            reportState(printer as string, state)
            if (state === 'paperOut') return end({ code: BROKEN, data: { state } })
            // The same job under another command is a retry of the server and prints no second receipt.
            if (!jobs.has(jobId)) print(printer as string, jobId, bytes)
            end({ code: DONE, data: { state: 'printed' } })
          })
      },
    } satisfies Record<string, Method>,
  }
}
