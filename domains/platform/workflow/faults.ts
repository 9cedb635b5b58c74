import { Refused, type RefusalCode } from '#kit/server/base/refused.ts'
import { refusalSentence } from '#kit/server/request/envelope.ts'

/** Faults named in a refusal; fixing these often fixes others. */
const NAMED_MAX = 20

/** Collects the faults of a process file, so that all are reported at once. */
export class ProcessFaultCollector {
  readonly #found = new Map<string, Refused>()

  add(code: RefusalCode, params: Record<string, unknown> = {}): void {
    const refused = new Refused(code, params)
    this.#found.set(refusalSentence(refused, 'zh'), refused)
  }

  has = (code: RefusalCode): boolean => [...this.#found.values()].some((one) => one.code === code)

  /** Throws if any fault was found: a single one as it is, several in one refusal. */
  refuse(): void {
    const all = [...this.#found.values()]
    if (all.length === 1) throw all[0]!
    if (!all.length) return
    const named = all.slice(0, NAMED_MAX)
    const more = all.length - named.length
    const listed = (lang: 'zh' | 'en') => named.map((one) => refusalSentence(one, lang))
    throw new Refused(
      'flow_faults',
      {
        count: all.length,
        faults: {
          zh: [...listed('zh'), ...(more ? [`另有 ${more} 处`] : [])].join('；'),
          en: [...listed('en'), ...(more ? [`and ${more} more`] : [])].join('; '),
        },
      },
      { reasons: [...new Set(all.map((one) => one.code))] },
    )
  }
}
