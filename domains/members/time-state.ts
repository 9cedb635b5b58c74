/** Where a moment stands to a span of time; texts of the Shanghai clock, an absent end is open. */
export const timeState = (span: { startTime?: string | null; endTime?: string | null }, now: string): 'coming' | 'running' | 'over' =>
  span.endTime && span.endTime <= now ? 'over' : span.startTime && span.startTime > now ? 'coming' : 'running'
