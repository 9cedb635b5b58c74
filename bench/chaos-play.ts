// Runs trade in a world while faults are injected, then checks the result.
import { faultsOf, waitForCompletion } from './chaos-faults.ts'
import { acknowledged, counts, makeStage, signIn, startTrade, trade, type Stage } from './chaos-trade.ts'
import type { World } from './chaos-world.ts'

type Say = (line: string) => void

/**
 * Trades until `strike` is done. Returns the exit code: 0 when everything holds, else 1 with a line for each violation.
 */
export async function play(
  world: World,
  say: Say,
  strike: (token: string, stage: Stage) => Promise<void>,
): Promise<number> {
  try {
    const token = await signIn(world, 'wu')
    const stage = await makeStage(world, token)
    const trading = startTrade(world, token, stage)
    // An error of the trade ends the play, also in the middle of a fault.
    await Promise.race([strike(token, stage), trading.then(() => new Promise<void>(() => {}))])
    trade.isOn = false
    await trading
    await waitForCompletion(world, stage.registers)
    return await report(world, say, stage)
  } finally {
    trade.isOn = false
    await world.close()
  }
}

async function report(world: World, say: Say, { registers }: Stage): Promise<number> {
  const sum = (of: 'acknowledged' | 'sentLate' | 'refused') =>
    registers.reduce((all, register) => all + register.figures()[of], 0)
  const { refunds, recharges, transfers } = acknowledged
  const sales = `${sum('acknowledged')} sales (${sum('sentLate')} of them sent late, ${sum('refused')} more refused)`
  say(`\nAcknowledged: ${sales}, ${refunds.size} refunds, ${recharges.size} recharges, ${transfers.size} transfers.`)
  const { calls, later, unreachable, refused, crashed } = counts
  say(`Of ${calls} calls beside the registers' ${later} were told to come again, ${unreachable} reached nobody,`)
  say(`${refused} were refused, ${crashed} crashed.`)
  const faults = await faultsOf(world, registers)
  for (const fault of faults) say(`WRONG: ${fault}`)
  if (faults.length) return 1
  say('Nothing acknowledged was lost or doubled, nothing refused was done, and every figure follows from its rows.')
  return 0
}
