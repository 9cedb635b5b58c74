import { App } from 'antd'
import { listUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useShellTranslation } from '../words/index.ts'

/** Returns a function that runs `go`, after asking if unsaved work in these tabs (all if undefined) would be lost. */
export function useConfirmUnsavedLeave() {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  return (tabs: string[] | undefined, go: () => void) => {
    const lost = tabs ? tabs.flatMap((tab) => listUnsavedWork(tab)) : listUnsavedWork()
    if (!lost.length) return go()
    modal.confirm({
      title: t('tip'),
      content: t('unsaved.ask', { what: [...new Set(lost)].join(t('unsaved.and')) }),
      okText: t('unsaved.leave'),
      okButtonProps: { danger: true },
      onOk: go,
    })
  }
}
