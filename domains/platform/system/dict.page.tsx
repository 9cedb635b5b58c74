import { dict } from './dict.resource.ts'
import { DictionariesPanel, systemDictionaryIntro, type DictionariesLayout } from './dictionaries.panel.tsx'

/** Dictionaries of the whole system, side by side or one above the other. */
export const createSystemDictionariesPage = (layout: DictionariesLayout) =>
  function DictPage() {
    return <DictionariesPanel resource={dict} intro={systemDictionaryIntro} layout={layout} />
  }

export default createSystemDictionariesPage('horizontal')
