import { cpu } from './event-loop-block.ts'

const SAMPLE_MS = 20
const MOST = 4

/** Returns how many times longer than its CPU time work takes at this moment: 1 on an idle machine, at most 4. */
export function busyness(): number {
  const [began, before] = [performance.now(), cpu()]
  while (cpu() - before < SAMPLE_MS);
  return Math.min(MOST, Math.max(1, (performance.now() - began) / SAMPLE_MS))
}
