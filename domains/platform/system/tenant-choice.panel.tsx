import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Radio } from 'antd'
import { useState } from 'react'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { tenant, tenantPackage } from './tenant.resource.ts'

type Row = WireRow<typeof tenant>

const words = {
  none: { zh: '不限制（全部菜单）', en: 'No limit (all menus)' },
  noneSource: { zh: '无', en: 'None' },
  empty: { zh: '还没有可选的产品包', en: 'No packages available' },
  emptyHint: { zh: '请先在“租户产品包”中新增。', en: 'Add one under “Tenant packages” first.' },
  hint: {
    zh: '改用更小的产品包后，超出部分的菜单和按钮立即对这个租户失效。',
    en: 'With a smaller package, menus and buttons beyond it stop working for the tenant immediately.',
  },
}

const sourceHint = {
  zh: '这个租户的模型、生成的业务和报表只能读取这里选定的数据源；租户在本产品中的数据始终保存在产品数据库，不受影响。',
  en:
    'Models, generated data and reports of this tenant can only read the data source selected here. ' +
    'Its own data always stays in the product database and is not affected.',
}

type Props = { kind: 'package' | 'datasource'; title: LocalizedText; row: Row; onClose: (done: boolean) => void }
type Choice = { id: string; title: string; remark?: string }

const packages = async (): Promise<Choice[]> =>
  (await apiGet<{ id: string; packageName: string }[]>(`${tenantPackage.path}/select`, undefined, { quiet: true })).map(
    (one) => ({ id: one.id, title: one.packageName }),
  )
const sources = () => apiGet<Choice[]>('/api/kit/options/datasource', { size: 100 }, { quiet: true })

/** Chooses a tenant's package or data source. */
export default function TenantChoicePanel({ kind, title, row, onClose }: Props) {
  const t = useLocalize()
  const language = useLanguage()
  const isPackage = kind === 'package'
  const {
    data = [],
    error,
    isPending,
    refetch,
  } = useQuery({ queryKey: ['tenant-choice', kind, language], queryFn: isPackage ? packages : sources })
  const key = isPackage ? 'packageId' : 'datasourceId'
  const given = row[key] === undefined || String(row[key]) === '-1' ? '' : String(row[key])
  const [chosen, setChosen] = useState(given)
  const save = async () => {
    await apiPost(`${tenant.path}/${isPackage ? 'package-setting' : 'datasource'}`, {
      query: { tenantId: row.tenantId, [key]: chosen },
    })
  }
  return (
    <SaveDrawer
      title={t(title)}
      subject={String(row.tenantName)}
      size={480}
      what={t(title)}
      isChanged={chosen !== given}
      save={save}
      onClose={onClose}
      isPending={isPending}
      error={error}
      retry={() => void refetch()}
    >
      {data.length || !isPackage ? (
        <fieldset className="kit-choice">
          <legend className="kit-hidden">{t(title)}</legend>
          <Radio.Group value={chosen} onChange={(event) => setChosen(String(event.target.value))}>
            <Radio value="">{t(isPackage ? words.none : words.noneSource)}</Radio>
            {data.map((one) => (
              <Radio key={one.id} value={one.id}>
                {one.title}
              </Radio>
            ))}
          </Radio.Group>
          <div className="kit-help">{t(isPackage ? words.hint : sourceHint)}</div>
        </fieldset>
      ) : (
        <EmptyStateNote icon="inbox" title={t(words.empty)} hint={t(words.emptyHint)} />
      )}
    </SaveDrawer>
  )
}
