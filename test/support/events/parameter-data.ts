import { accountKeys, event, position } from './event-service.ts'

const on = (Date: string) => ({ Date })
const option = (OptionId: string, deadline: string, payment: string) => ({
  OptionId,
  Deadline: on(`${deadline}T16:00:00Z`),
  Payment: on(payment),
})
const elects = (AccountKey: string, ElectedAmount: number) => ({
  AccountKey,
  Options: [{ OptionId: '001', ElectedAmount }],
})

/** Ada holds 150 of stock 1 in two accounts, a short CFD on it, and stock 2 in her treasury account. */
export const positions = [
  position(accountKeys.ada, 1, 100),
  position(accountKeys.ada2, 1, 50),
  position(accountKeys.ada2, 1, -5, { AssetType: 'CfdOnStock' }),
  position(accountKeys.treasury, 2, 30),
  position(accountKeys.bo, 1, 7),
  position(accountKeys.dee, 3, 40),
  position(accountKeys.cy, 2, 5),
]
export const events = [
  event('dividend', 1, {
    Ex: on('2026-11-20'),
    Record: on('2026-11-21'),
    Options: [{ OptionId: '001', Payment: on('2026-12-10') }],
  }),
  event('choice', 1, {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'DVOP' },
    EventState: 'Approved',
    Ex: on('2026-11-21'),
    Record: on('2026-11-22'),
    Options: [option('001', '2026-11-25', '2026-12-11'), option('002', '2026-12-01', '2026-12-20')],
    Holdings: [elects(accountKeys.ada, 100), elects(accountKeys.bo, 7)],
  }),
  event('tender', 2, {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND' },
    EventState: 'Preliminary',
    EventStatus: 'Upcoming',
    Ex: on('2027-01-20'),
    Options: [option('001', '2027-01-10', '2027-02-01'), option('002', '2027-01-10', '2027-02-01')],
  }),
  event('rights', 2, {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'RHTS' },
    EventState: 'Withdrawn',
    Ex: on('2026-11-10'),
    Options: [option('001', '2026-11-26', '2026-12-01'), option('002', '2026-11-26', '2026-12-01')],
    Holdings: [elects(accountKeys.treasury, 30)],
  }),
  event('cfd', 1, { AssetType: 'CfdOnStock', Ex: on('2026-11-19') }),
  event('over', 1, { EventType: { Code: 'BONU' }, Ex: on('2026-10-01') }),
  event('far', 1, { EventType: { Code: 'MCAL' }, EventState: 'Approved', Ex: on('2028-01-01') }),
  event('split', 3, { EventType: { Code: 'SPLF' }, Ex: on('2026-11-18') }),
]
