import { dictBiz } from './dict.resource.ts'
import { DictionariesPanel } from './dictionaries.panel.tsx'

const intro = {
  zh: '本租户自己的选项；封存的选项不再提供选择',
  en: 'Options of the tenant. Archived options are no longer offered.',
}

export default function DictBizPage() {
  return <DictionariesPanel resource={dictBiz} intro={intro} layout="horizontal" />
}
