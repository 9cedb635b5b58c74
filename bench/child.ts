import { fork, type ChildProcess } from 'node:child_process'

export type Child = { process: ChildProcess; cpu: () => Promise<number> }

/** Starts a server in a process of its own and waits until `ping` answers. */
export async function startChild(file: string, args: string[], env: NodeJS.ProcessEnv, ping: string): Promise<Child> {
  const one = fork(file, args, {
    env: { ...process.env, ...env },
    execArgv: ['--import', new URL('./cpu.ts', import.meta.url).href],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(ping).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { process: one, cpu: () => cpuOf(one) }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  one.kill('SIGKILL')
  throw new Error(`${file} does not answer`)
}

/** Returns the milliseconds of CPU the process has used. */
const cpuOf = (one: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    one.once('message', (used) => resolve(used as number))
    one.send('cpu')
  })
