import { addOperation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { changeClock, getClock, handleChangeClock, handleGetClock, handleResetClock, resetClock } from './clock.ts'
import { handleMakeDayToken, makeDayToken } from './day-token.ts'
import type { SimDependencies } from './dependencies.ts'
import { handleListFaults, handlePutFault, handleRemoveFault, listFaults, putFault, removeFault } from './faults.ts'
import { handlePutPosition, putPosition } from './positions.ts'
import { handleResetData, resetData } from './reset.ts'
import {
  deleteScenario,
  getScenario,
  handleDeleteScenario,
  handleGetScenario,
  handleListScenarios,
  handlePostScenario,
  handlePutScenario,
  listScenariosOperation,
  postScenario,
  putScenario,
} from './scenarios.ts'
import {
  deleteSnapshotOperation,
  handleDeleteSnapshot,
  handleListSnapshots,
  handleRestoreSnapshot,
  handleSaveSnapshot,
  listSnapshotsOperation,
  restoreSnapshotOperation,
  saveSnapshotOperation,
} from './snapshots.ts'

/** The operations that only the sim environment has; in live these paths do not exist (§11). */
export function simRoutes(api: Server, deps: SimDependencies): void {
  addOperation(api, getClock, (request, reply) => handleGetClock(deps, request, reply))
  addOperation(api, changeClock, (request, reply) => handleChangeClock(deps, request, reply))
  addOperation(api, resetClock, (request, reply) => handleResetClock(deps, request, reply))
  addOperation(api, listFaults, (request) => handleListFaults(deps, request))
  addOperation(api, putFault, (request) => handlePutFault(deps, request))
  addOperation(api, removeFault, (request, reply) => handleRemoveFault(deps, request, reply))
  addOperation(api, resetData, (request, reply) => handleResetData(deps, request, reply))
  addOperation(api, listSnapshotsOperation, (request) => handleListSnapshots(deps, request))
  addOperation(api, saveSnapshotOperation, (request) => handleSaveSnapshot(deps, request))
  addOperation(api, restoreSnapshotOperation, (request, reply) => handleRestoreSnapshot(deps, request, reply))
  addOperation(api, deleteSnapshotOperation, (request, reply) => handleDeleteSnapshot(deps, request, reply))
  addOperation(api, putPosition, (request) => handlePutPosition(deps, request))
  addOperation(api, makeDayToken, (request, reply) => handleMakeDayToken(deps, request, reply))
  addOperation(api, listScenariosOperation, () => handleListScenarios(deps))
  addOperation(api, getScenario, (request) => handleGetScenario(deps, request))
  addOperation(api, putScenario, (request) => handlePutScenario(deps, request))
  addOperation(api, postScenario, (request, reply) => handlePostScenario(deps, request, reply))
  addOperation(api, deleteScenario, (request, reply) => handleDeleteScenario(deps, request, reply))
}
