import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import { tenantPage } from '#kit/web/for-tenant.tsx'
import { EnableSwitch } from '#domains/files/parts.ts'
import { speechEngine } from './speech-engine.resource.ts'

type Row = WireRow<typeof speechEngine>

const words = {
  intro: {
    zh: '播报由谁合成语音；没有启用的引擎时使用本机安装的 espeak-ng',
    en: 'Who speaks the announcements; without one in use, espeak-ng where it is installed on this machine',
  },
  enable: {
    zh: '启用后新的语音由它合成，其他引擎随之停用；已生成的语音不受影响。',
    en: 'It then speaks what is made anew, and the others are put out of use; sounds already made stay.',
  },
  disable: {
    zh: '停用后由本机安装的 espeak-ng 合成；已生成的语音不受影响。',
    en: 'espeak-ng speaks then, where it is installed; sounds already made stay.',
  },
  what: { zh: '引擎', en: 'Engine' },
  keys: { zh: '密钥', en: 'Keys' },
  voices: { zh: '音色', en: 'Voices' },
  more: { zh: '其他', en: 'More' },
}

const { enable: _enable, disable: _disable, ...actions } = speechEngine.actions
const shown = {
  ...speechEngine,
  actions,
  fields: { ...speechEngine.fields, status: { ...speechEngine.fields.status, width: 130, sortable: false } },
}

const layout: LayoutOf<typeof shown> = [
  { title: words.what, fields: ['tenantId', 'name', 'category', 'region', 'endpoint'] },
  { title: words.keys, fields: ['appKey', 'accessKey', 'secretKey'] },
  { title: words.voices, fields: ['femaleVoice', 'maleVoice', 'childVoice'] },
  { title: words.more, fields: ['remark'] },
]

export default tenantPage(shown, {
  intro: words.intro,
  formLayout: layout,
  cells: {
    status: ({ row }: CellProps<Row>) => (
      <EnableSwitch
        resource={speechEngine}
        row={row}
        name={String(row.name)}
        enableText={words.enable}
        disableText={words.disable}
      />
    ),
  },
})
