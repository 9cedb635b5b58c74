/** Returns browser and system of a user agent as readable text; the start of the agent itself if both are unknown. */
export function describeUserAgent(agent: string): string {
  const found = (known: readonly (readonly [RegExp, string])[]) => known.find(([pattern]) => pattern.test(agent))?.[1]
  const parts = [found(BROWSERS), found(SYSTEMS)].filter(Boolean).join(' · ')
  return parts || agent.slice(0, 60)
}

// Browsers also name the ones they descend from, so the most specific come first.
const BROWSERS = [
  [/MicroMessenger\//, '微信 WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/(?:Headless)?Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
] as const
