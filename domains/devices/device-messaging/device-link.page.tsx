import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useSession } from '#kit/web/session/session.ts'
import { deviceLink } from './device-link.resource.ts'
import { DeviceLinkStatusOfRow } from './link-state.tsx'
import { isClockOff } from './clock-error.ts'
import { useClockSyncActions } from './use-clock.ts'
import { deviceLinkActionsSlot, type DeviceLinkAction, type DeviceLinkRow } from './slots.ts'

type Row = DeviceLinkRow
type IssuedDeviceSecret = { clientId: string; tenantId: string; topic: string; secret: string }

const SecretDialog = lazy(() =>
  import('./secret-dialog.tsx').then((m) => ({ default: m.IssueDeviceSecretDialog<IssuedDeviceSecret> })),
)

const words = {
  intro: {
    zh: '网关、用电网关、收银机的连接状态',
    en: 'Connection status of gateways, power gateways and registers.',
  },
  issue: { zh: '签发密钥', en: 'Issue credentials' },
  renew: { zh: '更换密钥', en: 'Rotate credentials' },
  number: { zh: '设备编号（客户端与用户名）', en: 'Device ID (client ID and user name)' },
  topic: { zh: '主题前缀', en: 'Topic prefix' },
  secret: { zh: '密钥（密码）', en: 'Secret (password)' },
}

const cells = {
  state: ({ row, place }: CellProps<Row>) => <DeviceLinkStatusOfRow row={row} isWhole={place === 'detail'} />,
  // An absent number travels as -1, which is also a valid offset, so `lastSeenTime` decides.
  clockOffset: ({ value, row }: CellProps<Row>) =>
    row.lastSeenTime ? (
      <span className="kit-number" data-clock={isClockOff(Number(value)) ? 'off' : undefined}>
        {String(value).replace('-', '−')} ms
      </span>
    ) : (
      <>—</>
    ),
}

/** List of device links, with their secrets to issue. */
export default function DeviceLinkPage() {
  const renew = useInvalidateResource()
  const mayIssue = useHasPermission('deviceLink_issue')
  const [issuing, setIssuing] = useState<Row>()
  const permissions = useSession((session) => session.permissions)
  const more = (useSlotContents(deviceLinkActionsSlot) ?? []).flat().filter(({ can }) => permissions[can])
  const [doing, setDoing] = useState<{ row: Row; Dialog: DeviceLinkAction['Dialog'] }>()
  const clock = useClockSyncActions(deviceLink.path, () => void renew(deviceLink))

  const rowActions = (row: Row): RowAction[] => [
    ...(row.state === 'online' && isClockOff(Number(row.clockOffset)) ? clock(row) : []),
    ...more
      .filter(({ isFor }) => isFor(row))
      .map(({ key, label, icon, Dialog }) => ({ key, label, icon, run: () => setDoing({ row, Dialog }) })),
    ...(mayIssue
      ? [
          {
            key: 'secret',
            label: row.keyIssuedTime ? words.renew : words.issue,
            icon: 'key' as const,
            run: () => setIssuing(row),
          },
        ]
      : []),
  ]

  return (
    <>
      <ResourcePage
        resource={deviceLink}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          // Hides the declared action "issue", which would not show the new secret; the row actions have their own.
          transformActions: (list, row) =>
            list.filter(({ key }) => key !== 'issue' && (key !== 'revoke' || row.keyIssuedTime)),
        }}
      />
      <Suspense>{doing && <doing.Dialog row={doing.row} onClose={() => setDoing(undefined)} />}</Suspense>
      <Suspense>
        {issuing && (
          <SecretDialog
            name={String(issuing.name)}
            isAgain={Boolean(issuing.keyIssuedTime)}
            path={`${deviceLink.path}/issue`}
            id={String(issuing.id)}
            lines={(made) => [
              { label: words.number, text: made.clientId },
              { label: words.secret, text: made.secret },
              { label: words.topic, text: made.topic },
            ]}
            onMade={() => void renew(deviceLink)}
            onClose={() => setIssuing(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
