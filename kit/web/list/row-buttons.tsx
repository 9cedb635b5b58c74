import type { IconName } from '#kit/resource/icon-names.ts'
import { Button, Dropdown } from 'antd'
import { useMemo } from 'react'
import { meets, type Action, type Resource } from '#kit/resource/define-resource.ts'
import type { Row } from '../form/form-values.ts'
import { Icon } from '../theme/icon.tsx'
import { useSay, type Words } from '../language.tsx'
import { words } from '../page-words.ts'
import { textWidth } from './text-width.ts'
import { useMay } from '../session/use-may.ts'

/** One thing that can be done; the first two of a row are in sight. */
export type Deed = { key: string; label: Words; run: () => void; danger?: boolean; icon?: IconName; disabled?: boolean }

const IN_SIGHT = 2

type RowDeeds = {
  onView?: (row: Row) => void
  onEdit: (row: Row) => void
  onRemove: (row: Row) => void
  onAction: (name: string, action: Action, row: Row) => void
}

/** What this user may do with a row, ordinary things first, dangerous ones last. */
export function useRowDeeds(resource: Resource<any, any>, does: RowDeeds) {
  const may = useMay(resource)
  return useMemo(() => rowDeeds(resource, may, does), [resource, may, does])
}

function rowDeeds(resource: Resource<any, any>, may: ReturnType<typeof useMay>, does: RowDeeds) {
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => action.on === 'row' && may.act(name),
  )
  return (row: Row, extra: readonly Deed[] = []): Deed[] => {
    const declared = actions.map(([name, action]): Deed => ({
      key: name,
      label: action.label,
      danger: action.danger,
      icon: action.icon,
      disabled: !meets(row, action.enabled),
      run: () => does.onAction(name, action, row),
    }))
    const safe = [...declared, ...extra]
    const view: Deed[] =
      may.view && does.onView ? [{ key: 'view', label: words.view, icon: 'eye', run: () => does.onView!(row) }] : []
    const edit: Deed[] = may.edit ? [{ key: 'edit', label: words.edit, icon: 'edit', run: () => does.onEdit(row) }] : []
    const remove: Deed[] = may.remove
      ? [{ key: 'remove', label: words.remove, icon: 'delete', danger: true, run: () => does.onRemove(row) }]
      : []
    const usual = [...edit, ...safe.filter((deed) => !deed.danger)]
    return [
      ...(usual.length < IN_SIGHT ? [...view, ...usual] : [...usual, ...view]),
      ...safe.filter((deed) => deed.danger),
      ...remove,
    ]
  }
}

function seen(deeds: Deed[], inSight: number, isWide?: boolean) {
  // A wide red button on every card would be the loudest thing on the screen.
  if (isWide && deeds.some(({ danger }) => !danger)) deeds = deeds.filter(({ danger }) => !danger)
  // What cannot be done now does not stand in the way of what can.
  const ready = deeds.filter((deed) => !deed.disabled && !deed.danger)
  if (isWide && ready.length) return ready.slice(0, inSight)
  return deeds.length <= inSight ? deeds : ready.length ? ready.slice(0, inSight) : deeds.slice(0, inSight)
}

const BESIDE_LABEL = 22
const labelWidth = (text: string) => textWidth(text) + BESIDE_LABEL

/** Room the buttons of a row need, so that the column is neither cut off nor takes from the data. */
export function deedsRoom(deeds: Deed[], say: ReturnType<typeof useSay>, inSight = IN_SIGHT) {
  const shown = seen(deeds, inSight)
  const more = shown.length < deeds.length ? labelWidth(say(words.more)) + 12 : 0
  return Math.ceil(shown.reduce((sum, deed) => sum + labelWidth(say(deed.label)), 12 + more))
}

/** The deeds of a row: two in sight, the rest under "more". */
export function RowButtons({ deeds, wide, inSight = IN_SIGHT }: { deeds: Deed[]; wide?: boolean; inSight?: number }) {
  const say = useSay()
  const shown = seen(deeds, inSight, wide)
  const more = deeds.filter((deed) => !shown.includes(deed))
  const hint = (deed: Deed) => (deed.disabled ? say(words.notNow, { action: say(deed.label) }) : undefined)
  return (
    <span className={wide ? 'kit-deeds kit-deeds-wide' : 'kit-deeds'} onClick={(event) => event.stopPropagation()}>
      {shown.map((deed) => (
        <span key={deed.key} data-tip={hint(deed)}>
          <Button
            type={wide ? 'default' : 'link'}
            size={wide ? 'large' : 'small'}
            danger={deed.danger}
            disabled={deed.disabled}
            onClick={deed.run}
          >
            {say(deed.label)}
          </Button>
        </span>
      ))}
      {more.length > 0 && (
        <Dropdown
          autoFocus
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: more.flatMap((deed, index) => [
              ...(deed.danger && index > 0 && !more[index - 1]!.danger
                ? [{ type: 'divider' as const, key: `${deed.key}-line` }]
                : []),
              {
                key: deed.key,
                label: say(deed.label),
                title: hint(deed) ?? '',
                danger: deed.danger,
                disabled: deed.disabled,
                icon: deed.icon ? <Icon name={deed.icon} /> : undefined,
              },
            ]),
            onClick: ({ key, domEvent }) => {
              domEvent.stopPropagation()
              deeds.find((deed) => deed.key === key)?.run()
            },
          }}
        >
          <Button type={wide ? 'default' : 'link'} size={wide ? 'large' : 'small'} aria-label={say(words.more)}>
            {wide ? (
              <Icon name="ellipsis" />
            ) : (
              <>
                {say(words.more)} <Icon name="down" />
              </>
            )}
          </Button>
        </Dropdown>
      )}
    </span>
  )
}
