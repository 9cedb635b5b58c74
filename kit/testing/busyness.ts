import { cpu } from './event-loop-block.ts'

const SAMPLE_MS = 20
const MOST = 4

/** How many times longer work takes by the clock than by the processor just now: from 1, with nobody beside, to 4. */
export function busyness(): number {
  const [began, before] = [performance.now(), cpu()]
  while (cpu() - before < SAMPLE_MS);
  return Math.min(MOST, Math.max(1, (performance.now() - began) / SAMPLE_MS))
}
