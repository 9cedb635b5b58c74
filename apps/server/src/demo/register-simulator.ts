import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Services } from '#kit/server/module/services.ts'
import type { Credentials } from '#simulators/registers/register.ts'
import { superviseProcess } from './keep-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../../simulators/registers/main.ts', import.meta.url))

/** Simulates registers and their customers in a child process, which is restarted when it dies. */
export const startRegisterSimulator = (
  { log }: Pick<Services, 'log'>,
  { url, pace, registers }: { url: string; pace: string; registers: readonly Credentials[] },
) =>
  superviseProcess(
    () => {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', PROGRAM, '--url', url, '--pace', pace, '--quiet'],
        { stdio: ['pipe', 'ignore', 'inherit'] },
      )
      child.stdin.on('error', () => {})
      // Registers are passed on standard input. Its end, which a kill of this process also causes, ends the child.
      child.stdin.write(`${JSON.stringify(registers)}\n`)
      return child
    },
    { onDeath: (why, waitMs) => log.warn({ why, waitMs }, 'the simulated registers have ended and begin again') },
  )
