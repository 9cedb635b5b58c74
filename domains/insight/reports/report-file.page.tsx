import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { CodeBlock } from '#kit/web/parts/code-block.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { reportFile } from './report-file.resource.ts'

type Row = WireRow<typeof reportFile>

const words = {
  intro: {
    zh: '打印报表的设计文件；填写参数“报表工具地址”后可以预览和设计',
    en: 'Design files of print reports. Set the parameter “Report tool URL” to preview and design them.',
  },
  preview: { zh: '预览', en: 'Preview' },
  design: { zh: '设计', en: 'Design' },
}

const DesignCell = ({ value }: CellProps<Row>) => (
  <CodeBlock label={useLocalize()(reportFile.fields.content.label)} value={value} wrap />
)

const open = (address: unknown) => window.open(String(address), '_blank', 'noopener')

export default createResourcePage(reportFile, {
  intro: words.intro,
  cells: { content: (props: CellProps<Row>) => <DesignCell {...props} /> },
  rowActions: (row: Row) =>
    row.previewUrl
      ? [
          { key: 'preview', label: words.preview, icon: 'eye', run: () => open(row.previewUrl) },
          { key: 'design', label: words.design, icon: 'form', run: () => open(row.designUrl) },
        ]
      : [],
})
