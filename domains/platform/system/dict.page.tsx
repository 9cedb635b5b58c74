import { dict } from './dict.resource.ts'
import { Dictionaries, dictIntro, type Layout } from './dictionaries.panel.tsx'

/** Dictionaries of the whole system, side by side or one above the other. */
export const systemDictionaries = (layout: Layout) =>
  function DictPage() {
    return <Dictionaries resource={dict} intro={dictIntro} layout={layout} />
  }

export default systemDictionaries('horizontal')
