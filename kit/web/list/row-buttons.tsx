import type { IconName } from '#kit/base/icon-names.ts'
import { Button, Dropdown } from 'antd'
import { useMemo } from 'react'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type LocalizedText, type LocalizeFunction } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { measureTextWidth } from './text-width.ts'
import { useResourcePermissions } from '../session/use-may.ts'

/** An action on a row, shown as a button. */
export type RowAction = {
  key: string
  label: LocalizedText
  run: () => void
  danger?: boolean
  icon?: IconName
  disabled?: boolean
}

const IN_SIGHT = 2

type RowActionHandlers = {
  onView?: (row: UntypedRow) => void
  onEdit: (row: UntypedRow) => void
  onRemove: (row: UntypedRow) => void
  onAction: (name: string, action: Action, row: UntypedRow) => void
}

/** Returns a function that gives the actions the user may take on a row: ordinary ones first, dangerous ones last. */
export function useDeclaredRowActions(resource: Resource<any, any>, does: RowActionHandlers) {
  const may = useResourcePermissions(resource)
  return useMemo(() => rowActionsFor(resource, may, does), [resource, may, does])
}

function rowActionsFor(
  resource: Resource<any, any>,
  may: ReturnType<typeof useResourcePermissions>,
  does: RowActionHandlers,
) {
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => action.on === 'row' && may.act(name),
  )
  return (row: UntypedRow, extra: readonly RowAction[] = []): RowAction[] => {
    const offered = actions.filter(
      ([, { hideWhenDisabled, enabled, visibleWhen: isOffered }]) =>
        meetsCondition(row, isOffered) && (!hideWhenDisabled || meetsCondition(row, enabled)),
    )
    const declared = offered.map(([name, action]): RowAction => ({
      key: name,
      label: action.label,
      danger: action.danger,
      icon: action.icon,
      disabled: !meetsCondition(row, action.enabled),
      run: () => does.onAction(name, action, row),
    }))
    const safe = [...declared, ...extra]
    const view: RowAction[] =
      may.view && does.onView ? [{ key: 'view', label: words.view, icon: 'eye', run: () => does.onView!(row) }] : []
    const edit: RowAction[] = may.edit
      ? [{ key: 'edit', label: words.edit, icon: 'edit', run: () => does.onEdit(row) }]
      : []
    const remove: RowAction[] = may.remove
      ? [{ key: 'remove', label: words.remove, icon: 'delete', danger: true, run: () => does.onRemove(row) }]
      : []
    const usual = [...edit, ...safe.filter((action) => !action.danger)]
    return [
      ...(usual.length < IN_SIGHT ? [...view, ...usual] : [...usual, ...view]),
      ...safe.filter((action) => action.danger),
      ...remove,
    ]
  }
}

function seen(rowActions: RowAction[], inSight: number, isWide?: boolean) {
  // Disabled actions do not take the place of ones that can be used.
  const ready = rowActions.filter((action) => !action.disabled && !action.danger)
  // On cards no dangerous or disabled action is a visible button, as wide buttons would dominate the screen.
  if (isWide && rowActions.some(({ danger }) => !danger)) return ready.slice(0, inSight)
  return rowActions.length <= inSight
    ? rowActions
    : ready.length
      ? ready.slice(0, inSight)
      : rowActions.slice(0, inSight)
}

const BUTTON_PADDING = 22
const labelWidth = (text: string) => measureTextWidth(text) + BUTTON_PADDING

/** Returns the width in pixels that the buttons of a row need, for the width of the action column. */
export function rowActionsWidth(rowActions: RowAction[], t: LocalizeFunction, inSight = IN_SIGHT) {
  const shown = seen(rowActions, inSight)
  const more = shown.length < rowActions.length ? labelWidth(t(words.more)) + 12 : 0
  return Math.ceil(shown.reduce((sum, action) => sum + labelWidth(t(action.label)), 12 + more))
}

const hintOf = (action: RowAction, t: LocalizeFunction) =>
  action.disabled ? t(words.notNow, { action: t(action.label) }) : undefined

/** Menu of the actions without a visible button, the dangerous ones below a divider. */
function More({ actions, wide }: { actions: RowAction[]; wide?: boolean }) {
  const t = useLocalize()
  const items = actions.flatMap((action, index) => [
    ...(action.danger && index > 0 && !actions[index - 1]!.danger
      ? [{ type: 'divider' as const, key: `${action.key}-line` }]
      : []),
    {
      key: action.key,
      label: t(action.label),
      title: hintOf(action, t) ?? '',
      danger: action.danger,
      disabled: action.disabled,
      icon: action.icon ? <Icon name={action.icon} /> : undefined,
    },
  ])
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items,
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          actions.find((action) => action.key === key)?.run()
        },
      }}
    >
      <Button type={wide ? 'default' : 'link'} size={wide ? 'large' : 'small'} aria-label={t(words.more)}>
        {wide ? (
          <Icon name="ellipsis" />
        ) : (
          <>
            {t(words.more)} <Icon name="down" />
          </>
        )}
      </Button>
    </Dropdown>
  )
}

/** The visible action buttons as plain HTML, until antd's table replaces them and adds the "more" menu. */
export function PlainRowButtons({ rowActions, inSight = IN_SIGHT }: Omit<RowButtonsProps, 'wide'>) {
  const t = useLocalize()
  const shown = seen(rowActions, inSight)
  return (
    <span className="kit-actions" onClick={(event) => event.stopPropagation()}>
      {shown.map(({ key, label, danger, disabled, run }) => (
        <button
          key={key}
          type="button"
          className="kit-plain-button"
          data-danger={danger}
          disabled={disabled}
          onClick={run}
        >
          {t(label)}
        </button>
      ))}
      {shown.length < rowActions.length && (
        <span className="kit-plain-button" aria-hidden>
          {t(words.more)} <Icon name="down" />
        </span>
      )}
    </span>
  )
}

type RowButtonsProps = { rowActions: RowAction[]; wide?: boolean; inSight?: number }

/** Buttons of a row's actions: the first `inSight` (2) are visible, the rest under "more". */
export function RowButtons({ rowActions, wide, inSight = IN_SIGHT }: RowButtonsProps) {
  const t = useLocalize()
  const shown = seen(rowActions, inSight, wide)
  const more = rowActions.filter((action) => !shown.includes(action))
  return (
    <span
      className={wide ? 'kit-actions kit-actions-wide' : 'kit-actions'}
      onClick={(event) => event.stopPropagation()}
    >
      {shown.map((action) => (
        <span key={action.key} data-tip={hintOf(action, t)}>
          <Button
            type={wide ? 'default' : 'link'}
            size={wide ? 'large' : 'small'}
            danger={action.danger}
            disabled={action.disabled}
            onClick={action.run}
          >
            {t(action.label)}
          </Button>
        </span>
      ))}
      {more.length > 0 && <More actions={more} wide={wide} />}
    </span>
  )
}
