import type { WireRow } from '#kit/resource/index.ts'
import { useNavigate } from 'react-router'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'

type Row = WireRow<typeof discountConf>

const words = {
  rehearsing: { zh: '已开始试算', en: 'Simulation started' },
  results: { zh: '各店结果', en: 'Results by store' },
  publish: { zh: '发布', en: 'Publish' },
}

/** The most important actions on a draft come first. */
const ORDER = ['edit', 'publish', 'try']
const rank = (key: string) => ORDER.indexOf(key) + 1 || ORDER.length + 1
const isDraft = (row: Row) => Number(row.status) === CAMPAIGN_STATE.draft

// A published campaign can be neither edited, simulated nor removed; publishing goes through a dialog.
export const arrangeCampaignActions = (list: RowAction[], row: Row) =>
  list
    .filter(
      ({ key }) =>
        key !== 'public' && key !== 'rehearse' && (isDraft(row) || !['edit', 'delete', 'remove'].includes(key)),
    )
    .toSorted((a, b) => rank(a.key) - rank(b.key))

/** Extra actions: simulate and publish for drafts, results for all others. */
export function useCampaignActions(onPublish: (campaign: Row) => void) {
  const navigate = useNavigate()
  const results = useResourcePath('shopMarkting')
  const mayPublish = useHasPermission('discountConf_public')
  const maySimulate = useHasPermission('discountConf_rehearse')
  const { run } = useActionRunner(discountConf)
  // The result is shown in the detail, so it is opened.
  const simulate = async (row: Row, list: Pick<ResourceList, 'set'>) => {
    const done = await run(
      () => callAction(discountConf, 'rehearse', discountConf.actions.rehearse, { id: String(row.id) }),
      words.rehearsing,
    ).catch(() => false)
    if (done) list.set((before) => ({ ...before, detail: String(row.id) }))
  }
  return (row: Row, list: Pick<ResourceList, 'set'>): RowAction[] => [
    ...(maySimulate && isDraft(row)
      ? [
          {
            key: 'try',
            label: discountConf.actions.rehearse.label,
            icon: discountConf.actions.rehearse.icon,
            run: () => void simulate(row, list),
          },
        ]
      : []),
    ...(mayPublish && isDraft(row)
      ? [{ key: 'publish', label: words.publish, icon: 'rocket' as const, run: () => onPublish(row) }]
      : []),
    ...(results && !isDraft(row)
      ? [
          {
            key: 'results',
            label: words.results,
            icon: 'bar-chart' as const,
            run: () => void navigate(`${results}?discountConfId=${String(row.id)}`),
          },
        ]
      : []),
  ]
}
