import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { TagLayoutInput } from './layout.input.tsx'
import { TagLayoutCell } from './layout-sample.tsx'
import { tagTemplate } from './tag-template.resource.ts'

type Row = WireRow<typeof tagTemplate>

const words = {
  intro: {
    zh: '价签画面自己排：保存后，用到它的价签自动更新，其他价签不动',
    en: 'Design what ESL tags show. After saving, only the tags that use the template are updated.',
  },
  what: { zh: '模板', en: 'Template' },
  layout: { zh: '画面', en: 'Layout' },
}

const layout: FormLayoutOf<typeof tagTemplate> = [
  { title: words.what, fields: ['tenantId', 'name', 'model', 'isDefault', 'remark'] },
  { title: words.layout, fields: ['elements'] },
]

export default createResourcePage(tagTemplate, {
  intro: words.intro,
  formLayout: layout,
  inputs: { elements: TagLayoutInput },
  cells: { elements: ({ value, row }: CellProps<Row>) => <TagLayoutCell value={value} row={row} /> },
  formWidth: 860,
})
