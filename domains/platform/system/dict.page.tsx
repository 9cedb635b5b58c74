import { dict } from './dict.resource.ts'
import { DictionariesPanel, systemDictionaryIntro, type DictionariesLayout } from './dictionaries.panel.tsx'

/** Creates the page of system dictionaries, with entries beside or below the dictionaries. */
export const createSystemDictionariesPage = (layout: DictionariesLayout) =>
  function DictPage() {
    return <DictionariesPanel resource={dict} intro={systemDictionaryIntro} layout={layout} />
  }

export default createSystemDictionariesPage('horizontal')
