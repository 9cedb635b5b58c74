import { spawn } from 'node:child_process'

/** Stands in the environment of every process of a play, and names its folder. */
export const MARK = 'STORE_CHAOS'

const SCRIPT = `
cat > /dev/null
for one in /proc/[0-9]*; do
  tr '\\0' '\\n' 2>/dev/null < "$one/environ" | grep -qxF "${MARK}=$1" && kill -9 "\${one#/proc/}"
done
for file in "$1"/*/cluster/postmaster.pid; do
  pid=$(head -n 1 "$file") && grep -qaF "$1" "/proc/$pid/cmdline" && kill -9 "$pid"
done
sleep 1
umount -l "$1"
rm -rf "$1"`

/**
 * Whoever is killed cleans up nothing, and databases stand in sessions of their own: a process beside us, whose input
 * ends when we do, ends what was started for `folder` since and removes it. Does nothing where there is no `sh`.
 */
export function startReaper(folder: string): void {
  const { [MARK]: _other, ...env } = process.env
  const one = spawn('sh', ['-c', SCRIPT, 'sh', folder], { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  one.once('error', () => {})
  one.stdin.on('error', () => {})
  one.unref()
  ;(one.stdin as unknown as { unref: () => void }).unref()
  process.env[MARK] = folder
}
