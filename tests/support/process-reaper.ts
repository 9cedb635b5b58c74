import { spawn } from 'node:child_process'

/** A shell script that kills the marked processes, repeatedly, as they may start others meanwhile. */
const KILL_MARKED = `
cat > /dev/null
for turn in 1 2 3 4 5 6 7 8 9 10; do
  marked=$(grep -lzxsF -e "$1" /proc/[0-9]*/environ)
  [ -n "$marked" ] || break
  for one in $marked; do one=\${one#/proc/} && kill -9 "\${one%/environ}"; done
  sleep 0.1
done
`

/**
 * Starts a helper process that, when this process ends in any way, kills all processes whose environment contains
 * `name=value`. It then runs `afterwards`, a shell script that gets the value as `$2`. Does nothing without `sh` or
 * `/proc`.
 */
export function startReaper(name: string, value: string, afterwards = ''): void {
  const { [name]: _other, ...env } = process.env
  const script = KILL_MARKED + afterwards
  const args = ['-c', script, 'sh', `${name}=${value}`, value]
  const reaper = spawn('sh', args, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  reaper.once('error', () => {})
  reaper.stdin.on('error', () => {})
  reaper.unref()
  ;(reaper.stdin as unknown as { unref: () => void }).unref()
  process.env[name] = value
}
