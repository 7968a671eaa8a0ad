// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {FinancingVault} from "./FinancingVault.sol";
import {IssuerRegistry} from "./IssuerRegistry.sol";
import {Signatures} from "./Signatures.sol";
import {VaultRegistry} from "./VaultRegistry.sol";
import {
    Administration,
    Allocation,
    Claim,
    ClaimState,
    ExecutionKind,
    ExecutionRoute,
    MAX_SLICES_PER_CLAIM,
    QuoteReason,
    RouteLeg
} from "./Types.sol";

/// @notice Executes financing routes that their user signed, direct financings, and settlements. All or nothing.
contract FinancingRouter is EIP712, Nonces, Pausable, ReentrancyGuard, AccessControlDefaultAdminRules {
    using SafeERC20 for IERC20;

    /// @notice The role that pauses and unpauses.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    uint256 public constant MAX_LEGS = 8;
    /// @notice Longest time in seconds between the execution of a route and its deadline.
    uint256 public constant MAX_ROUTE_LIFETIME = 3600;

    bytes32 public constant ROUTE_LEG_TYPEHASH =
        keccak256("RouteLeg(bytes32 claimId,address vault,uint256 faceAmount,uint256 minimumAdvanceAmount)");
    bytes32 public constant EXECUTION_ROUTE_TYPEHASH = keccak256(
        "ExecutionRoute(address user,address token,RouteLeg[] legs,uint256 targetAdvance,uint256 maxTotalFace,uint256 nonce,uint256 deadline)RouteLeg(bytes32 claimId,address vault,uint256 faceAmount,uint256 minimumAdvanceAmount)"
    );

    IssuerRegistry public immutable issuers;
    ClaimRegistry public immutable claims;
    VaultRegistry public immutable vaults;

    /// @notice What the router holds for an account that a settlement or revocation could not pay, in base units of the token.
    mapping(address account => mapping(address token => uint256)) public credits;
    /// @dev Bit i is set while the router holds the repayment of slice i.
    mapping(bytes32 claimId => uint256) private _heldSlices;

    /// @dev A leg that passed every check, with the advance that it will be paid.
    struct CheckedLeg {
        bytes32 claimId;
        address vault;
        uint256 faceAmount;
        uint256 advanceAmount;
    }

    /// @notice One per execution. `submitter` differs from `user` when a relayer sent a signed route.
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
    event ClaimSettled(
        bytes32 indexed claimId,
        address indexed payer,
        address indexed token,
        uint256 faceValue,
        uint256 vaultsAmount,
        uint256 beneficiaryAmount
    );

    error AdministratorRequired();
    /// @notice A settlement or revocation could not pay `account`: the router holds the amount for it.
    event Credited(bytes32 indexed claimId, address indexed account, address indexed token, uint256 amount);
    /// @notice The credit of a vault is the repayment of this slice. Follows `Credited`.
    event RepaymentHeld(bytes32 indexed claimId, address indexed vault, uint8 sliceIndex, uint256 faceAmount);
    event CreditWithdrawn(
        address indexed account, address indexed token, address indexed receiver, uint256 amount
    );

    error DeadlineExpired(uint256 deadline, uint256 timestamp);
    error RouteLifetimeExceeded(uint256 deadline, uint256 latest);
    error InvalidRouteSignature(address user);
    error InvalidLegCount(uint256 legCount);
    error DuplicateClaim(bytes32 claimId);
    error MixedTokens(bytes32 claimId);
    error NotBeneficiary(bytes32 claimId, address user);
    error IssuerInactive(bytes32 claimId, address issuer);
    error VaultInactive(address vault);
    error NoSlicesRemaining(bytes32 claimId);
    error ClaimNotFinanceable(bytes32 claimId, ClaimState state);
    error ClaimPastDue(bytes32 claimId, uint256 dueDate);
    error TokenMismatch(bytes32 claimId, address vault);
    error TypeNotSupported(bytes32 claimId, address vault);
    error DurationExceeded(bytes32 claimId, address vault);
    error BelowMinimumLot(bytes32 claimId, address vault, uint256 faceAmount);
    error AboveMaximumLot(bytes32 claimId, address vault, uint256 faceAmount);
    error FaceExceedsRemaining(bytes32 claimId, uint256 faceAmount, uint256 remainingFace);
    error InsufficientLiquidity(address vault, uint256 requiredAdvance, uint256 fundableLiquidity);
    error AdvanceBelowMinimum(bytes32 claimId, uint256 advanceAmount, uint256 minimumAdvanceAmount);
    error TargetNotMet(uint256 totalAdvance, uint256 targetAdvance);
    error TotalFaceExceeded(uint256 totalFace, uint256 maxTotalFace);
    error ClaimNotMatured(bytes32 claimId, uint256 dueDate, uint256 timestamp);
    error UnknownClaim(bytes32 claimId);
    error NotIssuer(bytes32 claimId, address caller);
    error UnexpectedToken(address token, address expected);
    error AmountExceedsMaximum(uint256 amount, uint256 maxAmount);
    error NoCredit(address account, address token);
    error RepaymentNotHeld(bytes32 claimId, uint256 sliceIndex);

    constructor(IssuerRegistry issuers_, ClaimRegistry claims_, VaultRegistry vaults_, Administration memory by)
        EIP712("FinancingRouter", "1")
        AccessControlDefaultAdminRules(by.adminDelay, by.admin)
    {
        issuers = issuers_;
        claims = claims_;
        vaults = vaults_;
        _grantRole(PAUSER_ROLE, by.manager);
    }

    // ---------------------------------------------------------------- administration

    // A router that is paused has an administrator, who can unpause it: without one it cannot be paused, and while it is paused
    // its administrator cannot renounce.

    /// @notice Stops new financing. Not possible without an administrator.
    function pause() external onlyRole(PAUSER_ROLE) {
        if (defaultAdmin() == address(0)) revert AdministratorRequired();
        _pause();
    }

    /// @notice Possible for every account that may pause, and for the administrator.
    function unpause() external {
        if (!hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) _checkRole(PAUSER_ROLE);
        _unpause();
    }

    function renounceRole(bytes32 role, address account) public override {
        if (role == DEFAULT_ADMIN_ROLE && paused()) revert AdministratorRequired();
        super.renounceRole(role, account);
    }

    // ---------------------------------------------------------------- financing

    /// @notice Executes a route on behalf of the user who signed it; anyone may submit it.
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

    // ---------------------------------------------------------------- settlement

    /// @notice Pays a matured claim's face value from the caller: to each vault what it financed, the rest to the
    /// beneficiary. A recipient that the token cannot pay is credited and stops nobody else's payment. Possible while
    /// paused: a pause stops new financing, not repayment.
    /// @param token Token of the claim. With `maxAmount`, it lets a wallet show what is paid.
    /// @param maxAmount The most that the caller pays, in base units of `token`.
    function settle(bytes32 claimId, address token, uint256 maxAmount) external nonReentrant {
        Claim memory record = claims.claim(claimId);
        if (record.state == ClaimState.NONE) revert UnknownClaim(claimId);
        _checkPayment(record.token, record.faceValue, token, maxAmount);
        if (block.timestamp < record.dueDate) revert ClaimNotMatured(claimId, record.dueDate, block.timestamp);

        claims.markSettled(claimId);
        uint256 rest = record.faceValue - record.financedFaceValue;
        emit ClaimSettled(claimId, msg.sender, record.token, record.faceValue, record.financedFaceValue, rest);

        _repayVaults(claimId, token);
        if (rest > 0) _payOrCredit(claimId, token, record.beneficiary, rest);
    }

    /// @notice Pays the caller's whole credit in a token to `receiver`, as the caller itself may be unable to receive it.
    function withdrawCredit(address token, address receiver) external nonReentrant returns (uint256 amount) {
        amount = credits[msg.sender][token];
        if (amount == 0) revert NoCredit(msg.sender, token);

        _payCredit(msg.sender, token, receiver, amount);
    }

    /// @notice Pays a vault the repayment that a settlement or revocation could not. Anyone may call it: the vault cannot.
    function releaseRepayment(bytes32 claimId, uint8 sliceIndex) external nonReentrant {
        uint256 slice = 1 << sliceIndex;
        if (_heldSlices[claimId] & slice == 0) revert RepaymentNotHeld(claimId, sliceIndex);

        _heldSlices[claimId] ^= slice;
        Allocation memory part = claims.allocations(claimId)[sliceIndex];
        _payCredit(part.vault, claims.claim(claimId).token, part.vault, part.faceAmount);
        FinancingVault(part.vault).recordRepayment(claimId, sliceIndex, part.faceAmount, part.advanceAmount);
    }

    /// @notice Revokes a claim that is not paid. Its issuer, the caller, pays each vault the face that it financed, so that
    /// no financing, however small, keeps a wrong claim alive. A vault that the token cannot pay is credited. Possible while
    /// paused.
    /// @param token Token of the claim. With `maxAmount`, it lets a wallet show what is paid.
    /// @param maxAmount The most that the caller pays, in base units of `token`.
    function revoke(bytes32 claimId, address token, uint256 maxAmount) external nonReentrant {
        Claim memory record = claims.claim(claimId);
        if (record.issuer != msg.sender) revert NotIssuer(claimId, msg.sender);
        _checkPayment(record.token, record.financedFaceValue, token, maxAmount);

        claims.markRevoked(claimId);
        _repayVaults(claimId, token);
    }

    // ---------------------------------------------------------------- views

    /// @notice Whether the router holds the repayment of a slice for its vault, which counts it as outstanding until then.
    function isRepaymentHeld(bytes32 claimId, uint8 sliceIndex) external view returns (bool) {
        return _heldSlices[claimId] & (1 << sliceIndex) != 0;
    }

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

    function _checkPayment(address expected, uint256 amount, address token, uint256 maxAmount) private pure {
        if (token != expected) revert UnexpectedToken(token, expected);
        if (amount > maxAmount) revert AmountExceedsMaximum(amount, maxAmount);
    }

    function _checkLegs(address user, RouteLeg[] memory requested)
        private
        view
        returns (CheckedLeg[] memory legs, address token)
    {
        uint256 count = requested.length;
        if (count == 0 || count > MAX_LEGS) revert InvalidLegCount(count);
        legs = new CheckedLeg[](count);
        for (uint256 i; i < count; ++i) {
            for (uint256 j; j < i; ++j) {
                if (legs[j].claimId == requested[i].claimId) revert DuplicateClaim(requested[i].claimId);
            }
            Claim memory record = claims.claim(requested[i].claimId);
            if (record.state == ClaimState.NONE) revert UnknownClaim(requested[i].claimId);
            if (i == 0) token = record.token;
            else if (record.token != token) revert MixedTokens(requested[i].claimId);
            _checkParties(user, record, requested[i]);
            legs[i] = _checkTerms(record, requested[i]);
            _checkLiquidity(legs, i);
        }
    }

    function _checkParties(address user, Claim memory record, RouteLeg memory leg) private view {
        if (record.beneficiary != user) revert NotBeneficiary(leg.claimId, user);
        if (!issuers.isActive(record.issuer)) revert IssuerInactive(leg.claimId, record.issuer);
        if (!vaults.isActive(leg.vault)) revert VaultInactive(leg.vault);
    }

    function _checkTerms(Claim memory record, RouteLeg memory leg) private view returns (CheckedLeg memory) {
        (, QuoteReason reason,, uint256 advanceAmount) = FinancingVault(leg.vault).quote(leg.claimId, leg.faceAmount);
        if (reason != QuoteReason.NONE) _revertWith(reason, record, leg);
        if (record.sliceCount >= MAX_SLICES_PER_CLAIM) revert NoSlicesRemaining(leg.claimId);
        if (advanceAmount < leg.minimumAdvanceAmount) {
            revert AdvanceBelowMinimum(leg.claimId, advanceAmount, leg.minimumAdvanceAmount);
        }
        return CheckedLeg(leg.claimId, leg.vault, leg.faceAmount, advanceAmount);
    }

    /// @dev The advances of all legs up to `last` that draw on the same vault must fit its liquidity together.
    function _checkLiquidity(CheckedLeg[] memory legs, uint256 last) private view {
        address vault = legs[last].vault;
        uint256 required;
        for (uint256 i; i <= last; ++i) {
            if (legs[i].vault == vault) required += legs[i].advanceAmount;
        }
        uint256 available = FinancingVault(vault).fundableLiquidity();
        if (required > available) revert InsufficientLiquidity(vault, required, available);
    }

    function _totals(CheckedLeg[] memory legs) private pure returns (uint256 totalFace, uint256 totalAdvance) {
        for (uint256 i; i < legs.length; ++i) {
            totalFace += legs[i].faceAmount;
            totalAdvance += legs[i].advanceAmount;
        }
    }

    function _revertWith(QuoteReason reason, Claim memory record, RouteLeg memory leg) private pure {
        if (reason == QuoteReason.CLAIM_NOT_FINANCEABLE) revert ClaimNotFinanceable(leg.claimId, record.state);
        if (reason == QuoteReason.CLAIM_PAST_DUE) revert ClaimPastDue(leg.claimId, record.dueDate);
        if (reason == QuoteReason.TOKEN_MISMATCH) revert TokenMismatch(leg.claimId, leg.vault);
        if (reason == QuoteReason.TYPE_NOT_SUPPORTED) revert TypeNotSupported(leg.claimId, leg.vault);
        if (reason == QuoteReason.DURATION_EXCEEDED) revert DurationExceeded(leg.claimId, leg.vault);
        if (reason == QuoteReason.BELOW_MINIMUM_LOT) revert BelowMinimumLot(leg.claimId, leg.vault, leg.faceAmount);
        if (reason == QuoteReason.ABOVE_MAXIMUM_LOT) revert AboveMaximumLot(leg.claimId, leg.vault, leg.faceAmount);
        revert FaceExceedsRemaining(leg.claimId, leg.faceAmount, record.faceValue - record.financedFaceValue);
    }

    // ---------------------------------------------------------------- payments

    /// @dev A second transfer, from the caller to the router, finds out which of the two the token refuses: if it fails as
    /// well, the caller cannot pay and the call reverts with the token's error.
    function _payOrCredit(bytes32 claimId, address token, address to, uint256 amount) private returns (bool paid) {
        paid = IERC20(token).trySafeTransferFrom(msg.sender, to, amount);
        if (paid) return true;
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        credits[to][token] += amount;
        emit Credited(claimId, to, token, amount);
    }

    function _payCredit(address account, address token, address receiver, uint256 amount) private {
        credits[account][token] -= amount;
        emit CreditWithdrawn(account, token, receiver, amount);
        IERC20(token).safeTransfer(receiver, amount);
    }

    // ---------------------------------------------------------------- effects

    /// @dev Each vault gets the face of its slices from the caller, and books it when it has the tokens.
    function _repayVaults(bytes32 claimId, address token) private {
        Allocation[] memory allocated = claims.allocations(claimId);
        for (uint256 i; i < allocated.length; ++i) {
            Allocation memory part = allocated[i];
            if (_payOrCredit(claimId, token, part.vault, part.faceAmount)) {
                FinancingVault(part.vault).recordRepayment(claimId, uint8(i), part.faceAmount, part.advanceAmount);
            } else {
                _heldSlices[claimId] |= 1 << i;
                emit RepaymentHeld(claimId, part.vault, uint8(i), part.faceAmount);
            }
        }
    }

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
