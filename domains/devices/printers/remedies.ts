import type { LocalizedText } from '#kit/base/localized-text.ts'
import { PRINTER_STATE, type PrintJobState, type PrinterState } from './dictionaries.ts'

/** Advice for a printer that does not print, by its state. */
export const printerRemedyTexts: Readonly<Partial<Record<PrinterState, LocalizedText>>> = {
  [PRINTER_STATE.offline]: {
    zh: '请检查打印机的电源和网络，重新开机后等一两分钟',
    en: 'Check the power and network of the printer, restart it and wait a minute or two',
  },
  [PRINTER_STATE.trouble]: {
    zh: '请检查是否缺纸、卡纸，机盖是否合紧，再关机重开；仍然异常请联系打印机厂家',
    en:
      'Check for missing or jammed paper, close the lid and restart the printer. If the error persists, ' +
      'contact the vendor.',
  },
  [PRINTER_STATE.noPaper]: { zh: '请装好纸并合紧机盖', en: 'Load paper and close the lid' },
}

/** Advice for a job that was not printed. For an unconfirmed one, the job's reason says what to do. */
export const printJobRemedyTexts: Readonly<Partial<Record<PrintJobState, LocalizedText>>> = {
  failed: {
    zh: '请按“说明”处理，并检查打印机的电源、网络和纸，再点“重打”',
    en: 'Follow “Message”, check the power, network and paper of the printer, then select “Reprint”',
  },
  expired: {
    zh: '请检查打印机的电源、网络和纸，恢复后点“重打”',
    en: 'Check the power, network and paper of the printer, then select “Reprint”',
  },
}
