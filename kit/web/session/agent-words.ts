/**
 * Browser and system of a user agent, as a person would say them; the text itself where it is none of the known ones.
 */
export function describeUserAgent(agent: string): string {
  const found = (known: readonly (readonly [RegExp, string])[]) => known.find(([pattern]) => pattern.test(agent))?.[1]
  const said = [found(BROWSERS), found(SYSTEMS)].filter(Boolean).join(' · ')
  return said || agent.slice(0, 60)
}

// Each names itself after the ones it descends from: the youngest first.
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
