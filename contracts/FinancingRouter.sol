// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {FinancingVault} from "./FinancingVault.sol";
import {IssuerRegistry} from "./IssuerRegistry.sol";
import {LegChecks} from "./LegChecks.sol";
import {RouterRegistries} from "./RouterRegistries.sol";
import {Settlements} from "./Settlements.sol";
import {Signatures} from "./Signatures.sol";
import {VaultRegistry} from "./VaultRegistry.sol";
import {Administration, Allocation, ExecutionKind, ExecutionRoute, RouteLeg} from "./Types.sol";

/// @notice Executes financing routes that their user signed, direct financings, and settlements. All or nothing.
contract FinancingRouter is EIP712, Nonces, Pausable, LegChecks, Settlements, AccessControlDefaultAdminRules {
    /// @notice The role that pauses and unpauses.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice Longest time in seconds between the execution of a route and its deadline.
    uint256 public constant MAX_ROUTE_LIFETIME = 3600;

    /// @notice EIP-712 type hash of `RouteLeg`.
    bytes32 public constant ROUTE_LEG_TYPEHASH =
        keccak256("RouteLeg(bytes32 claimId,address vault,uint256 faceAmount,uint256 minimumAdvanceAmount)");
    /// @notice EIP-712 type hash of `ExecutionRoute`.
    bytes32 public constant EXECUTION_ROUTE_TYPEHASH = keccak256(
        "ExecutionRoute(address user,address token,RouteLeg[] legs,uint256 targetAdvance,uint256 maxTotalFace,uint256 nonce,uint256 deadline)RouteLeg(bytes32 claimId,address vault,uint256 faceAmount,uint256 minimumAdvanceAmount)"
    );

    /// @notice One per execution. `submitter` differs from `user` when a relayer sent a signed route. Totals are base
    /// units of `token`.
    event Executed(
        bytes32 indexed executionId,
        address indexed user,
        address indexed token,
        ExecutionKind kind,
        address submitter,
        uint256 legCount,
        uint256 totalFace,
        uint256 totalAdvance
    );
    /// @notice One per leg, after `Executed`. `legIndex` is the position in the route, `sliceIndex` that in the claim.
    /// Amounts are base units.
    event LegExecuted(
        bytes32 indexed executionId,
        bytes32 indexed claimId,
        address indexed vault,
        uint256 legIndex,
        uint8 sliceIndex,
        uint256 faceAmount,
        uint256 advanceAmount
    );
    /// @notice `user` used up `nonce`: no route that was signed with it can be executed.
    event RoutesCancelled(uint256 indexed nonce, address indexed user);

    /// @notice A paused router has an administrator: this one has none to begin with, or would lose it by the call.
    error AdministratorRequired();
    /// @notice The block is later than the deadline. Both are Unix seconds.
    error DeadlineExpired(uint256 deadline, uint256 timestamp);
    /// @notice The deadline is more than `MAX_ROUTE_LIFETIME` after the block. Both are Unix seconds.
    error RouteLifetimeExceeded(uint256 deadline, uint256 latest);
    /// @notice Neither the key of `user` nor its code (ERC-1271) signed the route.
    error InvalidRouteSignature(address user);
    /// @notice The sum of the advances is below the target of the route, base units.
    error TargetNotMet(uint256 totalAdvance, uint256 targetAdvance);
    /// @notice The sum of the faces is above the maximum of the route, base units.
    error TotalFaceExceeded(uint256 totalFace, uint256 maxTotalFace);

    constructor(IssuerRegistry issuers_, ClaimRegistry claims_, VaultRegistry vaults_, Administration memory by)
        RouterRegistries(issuers_, claims_, vaults_)
        EIP712("FinancingRouter", "1")
        AccessControlDefaultAdminRules(by.adminDelay, by.admin)
    {
        _grantRole(PAUSER_ROLE, by.manager);
    }

    // ---------------------------------------------------------------- administration

    // A router that is paused has an administrator, who can unpause it: without one it cannot be paused, and while it
    // is paused its administrator cannot renounce.

    /// @notice Stops new financing. Reverts with `AdministratorRequired` without an administrator.
    function pause() external onlyRole(PAUSER_ROLE) {
        if (defaultAdmin() == address(0)) revert AdministratorRequired();
        _pause();
    }

    /// @notice Possible for every account that may pause, and for the administrator.
    function unpause() external {
        if (!hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) _checkRole(PAUSER_ROLE);
        _unpause();
    }

    /// @notice Gives up a role of the caller. The administrator cannot while the router is paused, and otherwise only
    /// after `beginDefaultAdminTransfer` to the zero address and its delay.
    function renounceRole(bytes32 role, address account) public override {
        if (role == DEFAULT_ADMIN_ROLE && paused()) revert AdministratorRequired();
        super.renounceRole(role, account);
    }

    // ---------------------------------------------------------------- financing

    /// @notice Executes a route on behalf of the user who signed it; anyone may submit it.
    /// @dev Advances are rounded down. Reverts with the error of the first check that fails: deadline, signature,
    /// nonce, each leg (`LegChecks`), token, totals.
    /// @return executionId The EIP-712 digest of the route.
    function executeRoute(ExecutionRoute calldata route, bytes calldata signature)
        external
        nonReentrant
        whenNotPaused
        returns (bytes32 executionId)
    {
        _checkDeadline(route.deadline);
        uint256 latest = block.timestamp + MAX_ROUTE_LIFETIME;
        if (route.deadline > latest) revert RouteLifetimeExceeded(route.deadline, latest);
        executionId = routeDigest(route);
        if (!Signatures.isSignedBy(route.user, executionId, signature)) {
            revert InvalidRouteSignature(route.user);
        }
        _useCheckedNonce(route.user, route.nonce);
        (CheckedLeg[] memory legs, address token) = _checkLegs(route.user, route.legs);
        if (route.token != token) revert UnexpectedToken(route.token, token);
        (uint256 totalFace, uint256 totalAdvance) = _totals(legs);
        if (totalAdvance < route.targetAdvance) revert TargetNotMet(totalAdvance, route.targetAdvance);
        if (totalFace > route.maxTotalFace) revert TotalFaceExceeded(totalFace, route.maxTotalFace);

        emit Executed(
            executionId, route.user, token, ExecutionKind.ROUTE, msg.sender, legs.length, totalFace, totalAdvance
        );
        for (uint256 i; i < legs.length; ++i) {
            _executeLeg(executionId, route.user, i, legs[i]);
        }
    }

    /// @notice Cancels every route that the caller signed with the next nonce, by using it up. Possible while paused.
    /// @return nonce The nonce that is used up.
    function cancelRoutes() external returns (uint256 nonce) {
        nonce = _useNonce(msg.sender);
        emit RoutesCancelled(nonce, msg.sender);
    }

    /// @notice Finances one claim of the caller from one vault.
    /// @dev Reverts with the error of the first check that fails: deadline, then the leg (`LegChecks`).
    /// @param faceAmount Base units.
    /// @param minimumAdvanceAmount Least advance, base units. Advances are rounded down.
    /// @param deadline Last second (Unix) at which the call may be executed; any time ahead.
    /// @return executionId Unique: no claim has the same slice twice.
    function executeFinancing(
        bytes32 claimId,
        address vault,
        uint256 faceAmount,
        uint256 minimumAdvanceAmount,
        uint256 deadline
    ) external nonReentrant whenNotPaused returns (bytes32 executionId) {
        _checkDeadline(deadline);
        RouteLeg[] memory requested = new RouteLeg[](1);
        requested[0] = RouteLeg(claimId, vault, faceAmount, minimumAdvanceAmount);
        (CheckedLeg[] memory legs, address token) = _checkLegs(msg.sender, requested);
        executionId = directExecutionId(claimId, claims.claim(claimId).sliceCount);

        emit Executed(
            executionId, msg.sender, token, ExecutionKind.DIRECT, msg.sender, 1, faceAmount, legs[0].advanceAmount
        );
        _executeLeg(executionId, msg.sender, 0, legs[0]);
    }

    // ---------------------------------------------------------------- views

    /// @notice The EIP-712 digest of a route, which is its executionId.
    function routeDigest(ExecutionRoute calldata route) public view returns (bytes32) {
        bytes32[] memory legHashes = new bytes32[](route.legs.length);
        for (uint256 i; i < legHashes.length; ++i) {
            legHashes[i] = keccak256(abi.encode(ROUTE_LEG_TYPEHASH, route.legs[i]));
        }
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    EXECUTION_ROUTE_TYPEHASH,
                    route.user,
                    route.token,
                    keccak256(abi.encodePacked(legHashes)),
                    route.targetAdvance,
                    route.maxTotalFace,
                    route.nonce,
                    route.deadline
                )
            )
        );
    }

    /// @notice The executionId of a direct financing that takes slice `sliceIndex` of a claim.
    function directExecutionId(bytes32 claimId, uint8 sliceIndex) public view returns (bytes32) {
        return keccak256(abi.encode("DIRECT", block.chainid, address(this), claimId, sliceIndex));
    }

    // ---------------------------------------------------------------- checks

    function _checkDeadline(uint256 deadline) private view {
        if (block.timestamp > deadline) revert DeadlineExpired(deadline, block.timestamp);
    }

    // ---------------------------------------------------------------- effects

    function _executeLeg(bytes32 executionId, address user, uint256 legIndex, CheckedLeg memory leg) private {
        uint8 sliceIndex = claims.reserveSlice(leg.claimId, leg.faceAmount);
        claims.registerAllocation(
            leg.claimId, sliceIndex, Allocation(leg.vault, leg.faceAmount, leg.advanceAmount), executionId
        );
        emit LegExecuted(
            executionId, leg.claimId, leg.vault, legIndex, sliceIndex, leg.faceAmount, leg.advanceAmount
        );
        FinancingVault(leg.vault).fund(leg.claimId, sliceIndex, user, leg.faceAmount, leg.advanceAmount);
    }
}
